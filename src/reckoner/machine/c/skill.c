/* Skills, as Python describes them. */

#include "core.h"

void clear_decisions(Core *core, Skill *skill, u32 keep)
{
    table_clear(&skill->decisions, release_plain);
    while (skill->history_count > keep)
        Py_DECREF(skill->histories[--skill->history_count].recollection);
    core->decided_bytes -= skill->decided_bytes;
    skill->decided_bytes = 0;
}

void skill_free(Core *core, Skill *skill)
{
    if (!skill)
        return;
    clear_decisions(core, skill, 0);
    text_release(skill->before);
    text_release(skill->between);
    text_release(skill->after);
    automaton_free(skill->x);
    automaton_free(skill->y);
    PyMem_RawFree(skill->histories);
    PyMem_RawFree(skill->callees);
    PyMem_RawFree(skill->own);
    PyMem_RawFree(skill->digit_starts);
    PyMem_RawFree(skill->digit_tokens);
    PyMem_RawFree(skill);
}

/* Texts over other characters than the alphabet's would be outside of every table. */
int are_letters(const Core *core, const char *letters, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (core->letter[(u8)letters[i]] == NO_SKIP) {
            PyErr_SetString(PyExc_ValueError, "a character that no memory holds");
            return 0;
        }
    return 1;
}

static int set_layout(Core *core, Skill *skill, Text **part, const char *letters, Py_ssize_t count)
{
    if (!count)
        return 0;
    *part = text_new(core, (u32)count, NULL);
    if (!*part || text_append(core, *part, (const u8 *)letters, (u32)count) < 0)
        return -1;
    (*part)->is_fixed = 1;
    skill->layout_length += (u32)count;
    return 0;
}

static int set_digits(Core *core, Skill *skill, PyObject *numbers)
{
    Py_ssize_t count = PyTuple_GET_SIZE(numbers), size = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        size += PyBytes_Check(PyTuple_GET_ITEM(numbers, i)) ? PyBytes_GET_SIZE(PyTuple_GET_ITEM(numbers, i)) : 0;
    skill->digit_starts = grab(core, (size_t)(count + 1) * sizeof(u32), NULL);
    skill->digit_tokens = grab(core, (size_t)size, NULL);
    if (!skill->digit_starts || !skill->digit_tokens) {
        PyErr_NoMemory();
        return -1;
    }
    u32 at = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *tokens = PyTuple_GET_ITEM(numbers, i);
        Py_ssize_t wanted = skill->fovea ? i : i > 0;
        if (!PyBytes_Check(tokens) || PyBytes_GET_SIZE(tokens) != wanted) {
            PyErr_SetString(PyExc_ValueError, "a number of n digits has n tokens");
            return -1;
        }
        skill->digit_starts[i] = at;
        memcpy(skill->digit_tokens + at, PyBytes_AS_STRING(tokens), (size_t)wanted);
        at += (u32)wanted;
    }
    if (count != 2 * skill->fovea + 2) {
        PyErr_SetString(PyExc_ValueError, "tokens for numbers of up to 2 fovea + 1 digits are needed");
        return -1;
    }
    return 0;
}

int add_history(Core *core, Skill *skill, u32 depth, PyObject *recollection)
{
    if (widen(core, (void **)&skill->histories, &skill->history_room, skill->history_count + 1, sizeof(History), NULL) < 0)
        return -1;
    Py_INCREF(recollection);
    skill->histories[skill->history_count++] = (History){depth, recollection};
    return 0;
}

/* introduce(is_basic, before, between, after, x, y, sees_characters, reads_decimals, fovea, reach, ids, numbers, root)
   -> number */
PyObject *Core_introduce(Core *core, PyObject *arguments)
{
    int is_basic, sees_characters, reads_decimals, fovea;
    long reach;
    const char *before, *between, *after, *ids;
    Py_ssize_t before_length, between_length, after_length, id_count;
    PyObject *x, *y, *numbers, *root;
    if (is_busy(core) ||
        !PyArg_ParseTuple(arguments, "py#y#y#OOppily#O!O", &is_basic, &before, &before_length, &between,
                          &between_length, &after, &after_length, &x, &y, &sees_characters, &reads_decimals, &fovea, &reach,
                          &ids, &id_count, &PyTuple_Type, &numbers, &root))
        return NULL;
    if (!are_letters(core, before, before_length) || !are_letters(core, between, between_length) ||
        !are_letters(core, after, after_length))
        return NULL;
    if (id_count != 256 || fovea < 0 || fovea > 1000)
        return PyErr_Format(PyExc_ValueError, "a perception that cannot be");
    Skill *skill = grab(core, sizeof(Skill), NULL);
    if (!skill)
        return PyErr_NoMemory();
    memset(skill, 0, sizeof(Skill));
    skill->is_basic = is_basic;
    skill->sees_characters = sees_characters;
    skill->reads_decimals = reads_decimals;
    skill->fovea = fovea;
    skill->reach = reach;
    memcpy(skill->ids, ids, 256);
    if (set_digits(core, skill, numbers) < 0)
        goto failed;
    if (set_layout(core, skill, &skill->before, before, before_length) < 0 ||
        set_layout(core, skill, &skill->between, between, between_length) < 0 ||
        set_layout(core, skill, &skill->after, after, after_length) < 0 || add_history(core, skill, 0, root) < 0 ||
        widen(core, (void **)&core->skills, &core->skill_room, core->skill_count + 1, sizeof(Skill *), NULL) < 0) {
        PyErr_NoMemory();
        goto failed;
    }
    if (!(skill->x = automaton_new(core, x)) || !(skill->y = automaton_new(core, y)))
        goto failed;
    skill->number = core->skill_count;
    core->skills[core->skill_count++] = skill;
    return PyLong_FromUnsignedLong(skill->number);
failed:
    skill_free(core, skill);
    return NULL;
}

Skill *need_skill(Core *core, unsigned long number)
{
    Skill *skill = number < core->skill_count ? core->skills[number] : NULL;
    if (!skill)
        PyErr_Format(PyExc_KeyError, "there is no skill number %lu", number);
    return skill;
}

PyObject *Core_connect(Core *core, PyObject *arguments)
{
    unsigned int number, most_calls;
    PyObject *callees, *own;
    if (is_busy(core) ||
        !PyArg_ParseTuple(arguments, "IO!O!I", &number, &PyList_Type, &callees, &PyList_Type, &own, &most_calls))
        return NULL;
    Skill *skill = need_skill(core, number);
    Py_ssize_t count = PyList_GET_SIZE(callees);
    if (!skill)
        return NULL;
    if (PyList_GET_SIZE(own) != count)
        return PyErr_Format(PyExc_ValueError, "lists of different lengths");
    u32 *numbers = grab(core, (size_t)(count + 1) * sizeof(u32), NULL);
    u8 *flags = grab(core, (size_t)(count + 1), NULL);
    if (!numbers || !flags) {
        PyMem_RawFree(numbers);
        PyMem_RawFree(flags);
        return PyErr_NoMemory();
    }
    numbers[0] = NOBODY;
    flags[0] = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        long callee = PyLong_AsLong(PyList_GET_ITEM(callees, i));
        numbers[i + 1] = callee < 0 ? NOBODY : (u32)callee;
        flags[i + 1] = (u8)PyObject_IsTrue(PyList_GET_ITEM(own, i));
    }
    PyMem_RawFree(skill->callees);
    PyMem_RawFree(skill->own);
    skill->callees = numbers;
    skill->own = flags;
    skill->modules = (u32)count;
    skill->most_calls = most_calls;
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

PyObject *Core_drop(Core *core, PyObject *argument)
{
    unsigned long number = PyLong_AsUnsignedLong(argument);
    if (PyErr_Occurred() || is_busy(core))
        return NULL;
    if (number < core->skill_count) {
        skill_free(core, core->skills[number]);
        core->skills[number] = NULL;
    }
    Py_RETURN_NONE;
}

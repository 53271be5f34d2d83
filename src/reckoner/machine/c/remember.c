/* What the networks have said, remembered. */

#include "core.h"

PyObject *Core_recollection(Core *core, PyObject *arguments)
{
    unsigned int number, history;
    if (!PyArg_ParseTuple(arguments, "II", &number, &history))
        return NULL;
    Skill *skill = need_skill(core, number);
    if (!skill)
        return NULL;
    if (history >= skill->history_count)
        return PyErr_Format(PyExc_IndexError, "there is no history %u", history);
    return Py_NewRef(skill->histories[history].recollection);
}

/* learn(number, history, view, choice, recollection, size) */
PyObject *Core_learn(Core *core, PyObject *arguments)
{
    unsigned int number, history, choice[7];
    const u8 *view;
    Py_ssize_t length;
    PyObject *recollection;
    Py_ssize_t size;
    if (is_busy(core) ||
        !PyArg_ParseTuple(arguments, "IIy#(IIIIIII)On", &number, &history, &view, &length, choice, choice + 1,
                          choice + 2, choice + 3, choice + 4, choice + 5, choice + 6, &recollection, &size))
        return NULL;
    Skill *skill = need_skill(core, number);
    if (!skill)
        return NULL;
    if (history >= skill->history_count)
        Py_RETURN_NONE; /* all was forgotten meanwhile */
    int is_sound = choice[0] <= skill->modules;
    for (int i = 1; i < 7; i++)
        is_sound = is_sound && (Py_ssize_t)choice[i] < length - 1;
    is_sound = is_sound && choice[1] <= choice[2] && choice[3] <= choice[4] && choice[5] <= choice[6];
    if (!is_sound)
        return PyErr_Format(PyExc_ValueError, "a decision that the view does not allow");
    if (find_decision(skill, history, view, (u32)length))
        Py_RETURN_NONE;
    size_t taken = sizeof(Decision) + (size_t)length + sizeof(History) + (size_t)size;
    Decision *made = grab(core, sizeof(Decision) + (size_t)length, NULL);
    if (!made)
        return PyErr_NoMemory();
    made->entry.hash = hash_of(view, (u32)length, history);
    made->history = history;
    made->module = choice[0];
    for (int i = 0; i < 6; i++)
        made->gaps[i] = choice[i + 1];
    made->following = skill->history_count;
    made->length = (u32)length;
    memcpy(made->view, view, (size_t)length);
    if (add_history(core, skill, skill->histories[history].depth + 1, recollection) < 0) {
        PyMem_RawFree(made);
        return PyErr_NoMemory();
    }
    if (table_add(core, &skill->decisions, &made->entry) < 0) {
        Py_DECREF(skill->histories[--skill->history_count].recollection);
        PyMem_RawFree(made);
        return PyErr_NoMemory();
    }
    core->decided_bytes += taken;
    skill->decided_bytes += taken;
    Py_RETURN_NONE;
}

static int remember(Core *core, u32 number, const u8 *message, u32 length, const char *answer, Py_ssize_t answer_length,
                    size_t most)
{
    size_t size = sizeof(Known) + length + sizeof(Text) + text_size((u32)answer_length);
    if (core->known_bytes + size > most / 2) {
        table_clear(&core->old_known, release_known);
        core->old_known = core->known;
        memset(&core->known, 0, sizeof(Table));
        core->known_bytes = 0;
    }
    Known *made = grab(core, sizeof(Known) + length, NULL);
    if (!made)
        return -1;
    made->entry.hash = hash_of(message, length, number);
    made->skill = number;
    made->length = length;
    memcpy(made->message, message, length);
    made->answer = text_new(core, (u32)answer_length, &core->answer_bytes);
    if (!made->answer || text_append(core, made->answer, (const u8 *)answer, (u32)answer_length) < 0)
        goto failed;
    made->answer->is_fixed = 1;
    if (table_add(core, &core->known, &made->entry) < 0)
        goto failed;
    core->known_bytes += size;
    return 0;
failed:
    release_known(&made->entry);
    return -1;
}

PyObject *Core_know(Core *core, PyObject *arguments)
{
    unsigned int number;
    const u8 *message;
    const char *answer;
    Py_ssize_t length, answer_length, most;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "Iy#y#n", &number, &message, &length, &answer, &answer_length, &most))
        return NULL;
    if (!are_letters(core, answer, answer_length))
        return NULL;
    if (!find_known(core, number, message, (u32)length) &&
        remember(core, number, message, (u32)length, answer, answer_length, (size_t)most) < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyObject *Core_forget(Core *core, PyObject *nothing)
{
    (void)nothing;
    if (is_busy(core))
        return NULL;
    core->generation++;
    for (u32 i = 0; i < core->skill_count; i++)
        if (core->skills[i])
            clear_decisions(core, core->skills[i], 1);
    table_clear(&core->known, release_known);
    table_clear(&core->old_known, release_known);
    core->known_bytes = 0;
    Py_RETURN_NONE;
}

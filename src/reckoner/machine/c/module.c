/* The Python type Core, and the module. */

#include "core.h"

int is_busy(Core *core)
{
    if (core->busy)
        PyErr_SetString(PyExc_RuntimeError, "this machine is at work in another thread");
    return core->busy;
}

static PyObject *Core_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const u8 *alphabet, *digits;
    Py_ssize_t letters, digit_count;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "y#y#", &alphabet, &letters, &digits, &digit_count))
        return NULL;
    if (letters > 64)
        return PyErr_Format(PyExc_ValueError, "an alphabet of more than 64 letters");
    Core *core = (Core *)type->tp_alloc(type, 0);
    if (!core)
        return NULL;
    memset(core->letter, NO_SKIP, sizeof(core->letter));
    for (Py_ssize_t i = 0; i < letters; i++)
        core->letter[alphabet[i]] = (u8)i;
    for (Py_ssize_t i = 0; i < digit_count; i++)
        core->is_digit[digits[i]] = 1;
    core->letters = (u32)letters;
    core->fuse = -1;
    core->skill_count = 1;
    core->skills = PyMem_RawCalloc(8, sizeof(Skill *));
    core->skill_room = 8;
    if (!core->skills) {
        Py_DECREF(core);
        return PyErr_NoMemory();
    }
    return (PyObject *)core;
}

static void Core_dealloc(Core *core)
{
    drop_scratch(core);
    if (core->spare)
        free_question(core, core->spare);
    for (u32 i = 0; core->skills && i < core->skill_count; i++)
        skill_free(core, core->skills[i]);
    table_clear(&core->known, release_known);
    table_clear(&core->old_known, release_known);
    PyMem_RawFree(core->skills);
    PyMem_RawFree(core->view);
    PyMem_RawFree(core->gaps);
    PyMem_RawFree(core->message);
    PyMem_RawFree(core->scratch);
    Py_TYPE(core)->tp_free((PyObject *)core);
}

/* look_at(number, memory) -> tokens, gaps: for tests */
static PyObject *Core_look_at(Core *core, PyObject *arguments)
{
    unsigned int number;
    const u8 *memory;
    Py_ssize_t length, cut;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "Iy#n", &number, &memory, &length, &cut))
        return NULL;
    Skill *skill = need_skill(core, number);
    Text *text = skill ? text_new(core, (u32)length, NULL) : NULL;
    if (!skill)
        return NULL;
    if (!text || text_append(core, text, memory, (u32)length) < 0)
        return PyErr_NoMemory();
    Piece pieces[2] = {{text, 0, (u32)cut}, {text, (u32)cut, (u32)length}}; /* in two, for what crosses a border */
    PyObject *result = NULL;
    if (look(core, skill, pieces, 2, (u32)length) == 0) {
        PyObject *gaps = PyTuple_New(core->gap_count);
        for (u32 i = 0; gaps && i < core->gap_count; i++)
            PyTuple_SET_ITEM(gaps, i, PyLong_FromUnsignedLong(core->gaps[i]));
        if (gaps)
            result = Py_BuildValue("y#N", core->view, (Py_ssize_t)core->view_length, gaps);
    }
    text_release(text);
    return result;
}

static PyObject *Core_decided(Core *core, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(core->decided_bytes);
}

static PyObject *Core_held(Core *core, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(core->held);
}

static PyObject *Core_get_fuse(Core *core, void *closure)
{
    (void)closure;
    return PyLong_FromLong(core->fuse);
}

static int Core_set_fuse(Core *core, PyObject *value, void *closure)
{
    (void)closure;
    long fuse = value ? PyLong_AsLong(value) : -1;
    if (PyErr_Occurred())
        return -1;
    core->fuse = fuse;
    return 0;
}

static PyMethodDef core_methods[] = {
    {"introduce", (PyCFunction)Core_introduce, METH_VARARGS, "A new skill; returns its number."},
    {"connect", (PyCFunction)Core_connect, METH_VARARGS, "Who answers the module choices from 1 on; -1: nobody."},
    {"drop", (PyCFunction)Core_drop, METH_O, "Forget a skill."},
    {"recollection", (PyCFunction)Core_recollection, METH_VARARGS, "What the skill has seen in a history."},
    {"learn", (PyCFunction)Core_learn, METH_VARARGS, "Remember a decision."},
    {"know", (PyCFunction)Core_know, METH_VARARGS, "Remember a basic skill's answer."},
    {"forget", (PyCFunction)Core_forget, METH_NOARGS, "Forget everything but the skills."},
    {"start", (PyCFunction)Core_start, METH_VARARGS, "Start work on messages to one skill."},
    {"look_at", (PyCFunction)Core_look_at, METH_VARARGS, "The view of a memory, for tests."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef core_fields[] = {
    {"decided", (getter)Core_decided, NULL, "Bytes that decisions take.", NULL},
    {"held", (getter)Core_held, NULL, "Bytes of questions under way.", NULL},
    {"fuse", (getter)Core_get_fuse, (setter)Core_set_fuse, "So many allocations succeed; negative: all.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject CoreType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "reckoner.machine._core.Core",
    .tp_doc = "Skills by number, and what is remembered of them.",
    .tp_basicsize = sizeof(Core),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = Core_new,
    .tp_dealloc = (destructor)Core_dealloc,
    .tp_methods = core_methods,
    .tp_getset = core_fields,
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_core", "The core of the fast machine.", -1, NULL, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    if (PyType_Ready(&CoreType) < 0 || PyType_Ready(&RunType) < 0)
        return NULL;
    PyObject *made = PyModule_Create(&module);
    if (!made)
        return NULL;
    Py_INCREF(&CoreType);
    if (PyModule_AddObject(made, "Core", (PyObject *)&CoreType) < 0) {
        Py_DECREF(&CoreType);
        Py_DECREF(made);
        return NULL;
    }
    return made;
}

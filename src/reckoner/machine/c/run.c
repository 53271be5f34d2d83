/* The Python type Run: questions under way. */

#include "core.h"

static void run_free_questions(Run *run)
{
    Question *lists[] = {run->waiting, run->resumed, run->parked, run->current};
    if (run->current)
        run->current->next = NULL;
    for (int i = 0; i < 4; i++)
        for (Question *q = lists[i], *next; q; q = next) {
            next = q->next;
            free_question(run->core, q);
        }
    run->waiting = run->resumed = run->parked = run->current = NULL;
    run->waiting_end = &run->waiting;
    run->waiting_count = 0;
}

static void Run_dealloc(Run *run)
{
    if (run->core) {
        drop_scratch(run->core);
        run_free_questions(run);
        forget_wants(run);
    }
    forget_notes(run);
    for (Py_ssize_t i = 0; run->endings && i < run->count; i++) {
        PyMem_RawFree(run->endings[i].answer);
        PyMem_RawFree(run->endings[i].refusal);
    }
    PyMem_RawFree(run->endings);
    PyMem_RawFree(run->texts);
    PyMem_RawFree(run->lengths);
    Py_XDECREF(run->messages);
    Py_XDECREF(run->core);
    Py_TYPE(run)->tp_free((PyObject *)run);
}

static PyObject *list_wants(Run *run)
{
    PyObject *lists[2] = {PyList_New(0), PyList_New(0)};
    int failed = !lists[0] || !lists[1];
    for (Want *w = run->first_want; w && !failed; w = w->later) {
        PyObject *item = w->kind == A_DECISION
                             ? Py_BuildValue("IIy#", w->skill, w->history, w->letters, (Py_ssize_t)w->length)
                             : Py_BuildValue("Iy#", w->skill, w->letters, (Py_ssize_t)w->length);
        failed = !item || PyList_Append(lists[w->kind], item) < 0;
        Py_XDECREF(item);
    }
    PyObject *result = failed ? NULL : PyTuple_Pack(2, lists[0], lists[1]);
    Py_XDECREF(lists[0]);
    Py_XDECREF(lists[1]);
    return result;
}

static PyObject *Run_advance(Run *run, PyObject *arguments)
{
    int drain = 0;
    Core *core = run->core;
    if (!PyArg_ParseTuple(arguments, "|p", &drain) || is_busy(core))
        return NULL;
    if (run->since > 0 && run->waiting_count) { /* the time that all waited is everyone's */
        double share = (now() - run->since) / run->waiting_count;
        for (Question *q = run->waiting; q; q = q->next)
            q->seconds += share;
    }
    run->since = 0;
    if (run->generation != core->generation) { /* all was forgotten: histories are not what they were */
        for (Question *q = run->waiting; q; q = q->next)
            empty_question(core, q);
        if (run->current)
            empty_question(core, run->current);
        run->generation = core->generation;
    }
    if (run->waiting) {
        *run->waiting_end = run->resumed;
        run->resumed = run->waiting;
        run->waiting = NULL;
        run->waiting_end = &run->waiting;
        run->waiting_count = 0;
    }
    forget_wants(run);
    int paused = 1;
    while (paused) {
        core->busy = 1;
        Py_BEGIN_ALLOW_THREADS
        paused = proceed(run, drain);
        Py_END_ALLOW_THREADS
        core->busy = 0;
        if (PyErr_CheckSignals() < 0)
            return NULL;
    }
    if (!run->waiting_count)
        Py_RETURN_NONE;
    run->since = now();
    return list_wants(run);
}

/* End those that wait: there is no memory to go on with them. */
static PyObject *Run_give_up(Run *run, PyObject *nothing)
{
    (void)nothing;
    if (is_busy(run->core))
        return NULL;
    Question *lists[] = {run->waiting, run->resumed, run->current};
    if (run->current)
        run->current->next = NULL;
    long ended = 0;
    for (int i = 0; i < 3; i++)
        for (Question *q = lists[i], *next; q; q = next) {
            next = q->next;
            end_question(run, q, BYTES, q->depth ? q->frames[q->depth - 1].skill : run->skill);
            free_question(run->core, q);
            ended++;
        }
    run->waiting = run->resumed = run->current = NULL;
    run->waiting_end = &run->waiting;
    run->waiting_count = 0;
    run->is_alone = 0;
    return PyLong_FromLong(ended);
}

static PyObject *Run_is_done(Run *run, void *closure)
{
    (void)closure;
    return PyBool_FromLong(run->next == run->count && !run->waiting && !run->resumed && !run->parked && !run->current);
}

static PyObject *Run_decisions(Run *run, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(run->decisions);
}

static PyObject *Run_endings(Run *run, void *closure)
{
    (void)closure;
    PyObject *list = PyList_New(run->count);
    for (Py_ssize_t i = 0; list && i < run->count; i++) {
        Ending *e = &run->endings[i];
        PyObject *refusal = Py_None, *answer = Py_None, *item = NULL;
        if (e->refusal) {
            Refused *r = e->refusal;
            refusal = Py_BuildValue("ly#y#", r->skill == NOBODY ? -1L : (long)r->skill, r->letters,
                                    (Py_ssize_t)r->length_x, r->letters + r->length_x, (Py_ssize_t)r->length_y);
        } else
            Py_INCREF(refusal);
        if (e->answer)
            answer = PyBytes_FromStringAndSize((char *)e->answer, e->length);
        else
            Py_INCREF(answer);
        if (refusal && answer)
            item = Py_BuildValue("iOKOI", e->status, answer, (unsigned long long)e->calls, refusal, e->skill);
        Py_XDECREF(refusal);
        Py_XDECREF(answer);
        if (!item)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, item);
    }
    return list;
}

/* start(number, messages, calls, depth, memory, steps, seconds, bytes) -> Run */
PyObject *Core_start(Core *core, PyObject *arguments)
{
    unsigned int number;
    PyObject *messages;
    unsigned long long calls;
    Py_ssize_t depth, memory, steps, bytes;
    double seconds;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "IOKnnndn", &number, &messages, &calls, &depth, &memory, &steps,
                                           &seconds, &bytes))
        return NULL;
    if (!need_skill(core, number))
        return NULL;
    Run *run = PyObject_New(Run, &RunType);
    if (!run)
        return NULL;
    memset((char *)run + sizeof(PyObject), 0, sizeof(Run) - sizeof(PyObject));
    run->core = (Core *)Py_NewRef(core);
    run->waiting_end = &run->waiting;
    run->last_want = &run->first_want;
    run->skill = number;
    run->generation = core->generation;
    run->calls = calls;
#define CAPPED(value) ((value) < 0 ? 0 : (value) > (Py_ssize_t)(UINT32_MAX / 4) ? UINT32_MAX / 4 : (u32)(value))
    run->depth = CAPPED(depth);
    run->memory = CAPPED(memory);
    run->steps = CAPPED(steps);
#undef CAPPED
    run->seconds = seconds;
    run->bytes = bytes < 0 ? 0 : (size_t)bytes;
    run->messages = PySequence_Tuple(messages);
    if (!run->messages)
        goto failed;
    Py_ssize_t count = PyTuple_GET_SIZE(run->messages);
    run->texts = grab(core, (size_t)count * sizeof(u8 *), NULL);
    run->lengths = grab(core, (size_t)count * sizeof(u32), NULL);
    run->endings = grab(core, (size_t)count * sizeof(Ending), NULL);
    if (!run->texts || !run->lengths || !run->endings) {
        PyErr_NoMemory();
        goto failed;
    }
    memset(run->endings, 0, (size_t)count * sizeof(Ending));
    run->count = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *message = PyTuple_GET_ITEM(run->messages, i);
        if (!PyBytes_Check(message) || PyBytes_GET_SIZE(message) > (Py_ssize_t)(UINT32_MAX / 8)) {
            PyErr_SetString(PyExc_TypeError, "a message is bytes, and not endless");
            goto failed;
        }
        run->texts[i] = (u8 *)PyBytes_AS_STRING(message);
        run->lengths[i] = (u32)PyBytes_GET_SIZE(message);
        run->endings[i].status = -1;
    }
    return (PyObject *)run;
failed:
    Py_DECREF(run);
    return NULL;
}

static PyMethodDef run_methods[] = {
    {"advance", (PyCFunction)Run_advance, METH_VARARGS, "Work as far as possible: what is needed, or None."},
    {"give_up", (PyCFunction)Run_give_up, METH_NOARGS, "End those under way for lack of memory; how many."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef run_fields[] = {
    {"is_done", (getter)Run_is_done, NULL, "Whether all messages have their ending.", NULL},
    {"decisions", (getter)Run_decisions, NULL, "How many calls were carried out, those below noted answers not.", NULL},
    {"endings", (getter)Run_endings, NULL, "How each message ended.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject RunType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "reckoner.machine._core.Run",
    .tp_doc = "Questions under way.",
    .tp_basicsize = sizeof(Run),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)Run_dealloc,
    .tp_methods = run_methods,
    .tp_getset = run_fields,
};

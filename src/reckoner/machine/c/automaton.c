/* Which messages are accepted. */

#include "core.h"

void automaton_free(Automaton *automaton)
{
    if (automaton) {
        PyMem_RawFree(automaton->following);
        PyMem_RawFree(automaton);
    }
}

Automaton *automaton_new(Core *core, PyObject *tables)
{
    const u8 *following, *accepting, *tails;
    Py_ssize_t cells, states, tail_count;
    if (!PyArg_ParseTuple(tables, "y#y#y#", &following, &cells, &accepting, &states, &tails, &tail_count))
        return NULL;
    if (states < 2 || states > 64 || tail_count != states || cells != states * (Py_ssize_t)core->letters) {
        PyErr_SetString(PyExc_ValueError, "tables of an automaton do not fit together");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < cells; i++)
        if (following[i] >= states) {
            PyErr_SetString(PyExc_ValueError, "an automaton without the state it goes to");
            return NULL;
        }
    Automaton *automaton = grab(core, sizeof(Automaton), NULL);
    u8 *block = grab(core, (size_t)(cells + states + states), NULL);
    if (!automaton || !block) {
        PyMem_RawFree(automaton);
        PyMem_RawFree(block);
        PyErr_NoMemory();
        return NULL;
    }
    automaton->serial = ++core->serial;
    automaton->states = (u32)states;
    automaton->following = block;
    automaton->accepting = block + cells;
    automaton->tails = automaton->accepting + states;
    memcpy(automaton->following, following, (size_t)cells);
    memcpy(automaton->accepting, accepting, (size_t)states);
    memcpy(automaton->tails, tails, (size_t)states);
    return automaton;
}

/* The table of endings of a text for an automaton, or NULL if there is no memory for it. */
static const u64 *find_endings(Core *core, Text *text, const Automaton *automaton, u32 end)
{
    for (Endings **e = &text->endings; *e; e = &(*e)->next)
        if ((*e)->automaton == automaton->serial) {
            if ((*e)->end == end)
                return (*e)->good;
            Endings *other = *e;
            *e = other->next;
            give_back(other, sizeof(Endings) + ((size_t)other->end + 1) * sizeof(u64), text->account);
            break;
        }
    Endings *made = grab(core, sizeof(Endings) + ((size_t)end + 1) * sizeof(u64), text->account);
    if (!made)
        return NULL;
    made->automaton = automaton->serial;
    made->end = end;
    made->next = text->endings;
    text->endings = made;
    u64 good = 0;
    for (u32 state = 0; state < automaton->states; state++)
        good |= (u64)automaton->accepting[state] << state;
    made->good[end] = good;
    for (u32 at = end; at-- > 0;) {
        const u8 *following = automaton->following + core->letter[text->letters[at]];
        u64 before = 0;
        for (u32 state = 0; state < automaton->states; state++, following += core->letters)
            before |= (good >> *following & 1) << state;
        made->good[at] = good = before;
    }
    return made->good;
}

int accepts(Core *core, const Automaton *automaton, const Piece *pieces, u32 count)
{
    u32 state = 1;
    for (u32 i = 0; i < count; i++) {
        Text *text = pieces[i].text;
        u32 at = pieces[i].start, end = pieces[i].end;
        if (i + 1 == count && text->rank[end] - text->rank[at] > LONG) {
            const u64 *good = find_endings(core, text, automaton, end);
            if (good)
                return good[at] >> state & 1;
        }
        while (at < end) {
            u32 tail = automaton->tails[state];
            if (tail != NO_SKIP) {
                u32 stop = next_sign(text, at, end);
                if (stop - at > tail) {
                    at = stop - tail;
                    if (at == stop)
                        continue;
                }
            }
            state = automaton->following[state * core->letters + core->letter[text->letters[at++]]];
            if (!state)
                return 0;
        }
    }
    return automaton->accepting[state];
}

/* The core of the fast machine: what core.py does, in C.

   It copies characters, looks decisions up and keeps stacks; the networks decide, and Python asks them. Nothing here
   knows what a digit is worth: which characters are digits, how a memory looks to a skill and which messages a skill
   accepts come in as tables, and all sums are of lengths, places and counts.

   Texts are shared. A memory is a list of pieces of texts, so that a call deep inside a long number holds slices of
   its caller's memory and not a copy. A text is only ever appended to, and knows for each of its places how many
   characters before it are no digits: so the ends of a number are found at once, however long it is.

   All work on questions happens without Python's lock; `busy` keeps other threads out meanwhile. An interrupt or a lack
   of memory ends a question between two steps, never within what is remembered.

   Answers to long messages are noted for as long as a run lasts: a program may ask the same twice in a row, and the
   work below one such call can be thousands of calls. A note knows how many calls and how much depth it stands for, so
   that counts and limits are as if the work had been done again; of work in which a call was refused there is none. */

#ifndef RECKONER_CORE_H
#define RECKONER_CORE_H

#include "types.h"

/* Nobody outside of this module calls these. */
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* allocate.c */
void *grab(Core *core, size_t size, size_t *account);
void give_back(void *what, size_t size, size_t *account);
int make_wider(Core *core, void **array, u32 *room, u32 wanted, size_t item, size_t *account);
double now(void);

/* text.c */
size_t text_size(u32 room);
Text *text_new(Core *core, u32 room, size_t *account);
void text_free(Text *text);
int text_append(Core *core, Text *text, const u8 *letters, u32 count);

/* piece.c */
int add_piece(Core *core, u32 floor, Text *text, u32 start, u32 end);
int add_span(Core *core, u32 floor, const Piece *pieces, u32 count, u32 start, u32 end);
void drop_scratch(Core *core);
void copy_span(const Piece *pieces, u32 count, u32 start, u32 end, u8 *out);
int join_pieces(Core *core, u32 length);

/* table.c */
u64 hash_of(const u8 *letters, u32 count, u64 seed);
int table_add(Core *core, Table *table, Entry *entry);
void table_clear(Table *table, void (*release)(Entry *));
void release_plain(Entry *entry);
void release_known(Entry *entry);
Decision *find_decision(const Skill *skill, u32 history, const u8 *view, u32 length);
Known *find_known(const Core *core, u32 skill, const u8 *message, u32 length);

/* view.c */
int look(Core *core, const Skill *skill, const Piece *pieces, u32 count, u32 length);

/* measure.c */
u32 measure(const Skill *skill, const Piece *pieces, u32 count, const u32 *spans);

/* automaton.c */
void automaton_free(Automaton *automaton);
Automaton *automaton_new(Core *core, PyObject *tables);
int accepts(Core *core, const Automaton *automaton, const Piece *pieces, u32 count);

/* note.c */
size_t note_size(const Note *note);
void drop_draft(Core *core, Frame *frame);
void forget_notes(Run *run);
Note *new_draft(Core *core, u32 skill, u64 hash, const u8 *message, u32 length);
const Note *find_note(const Run *run, u32 skill, u64 hash, const u8 *message, u32 length);
void take_note(Run *run, Question *question, Frame *frame);

/* question.c */
void empty_question(Core *core, Question *question);
void free_question(Core *core, Question *question);
Question *new_question(Core *core, Py_ssize_t number);
void done_with_question(Core *core, Question *question);
int end_question(Run *run, Question *question, int status, u32 skill);
int end_with(Run *run, Question *question, int status, u32 skill, const Piece *pieces, u32 count, u32 length);

/* step.c */
int step(Run *run, Question *question);
int start_question(Run *run, Question *question);

/* schedule.c */
int want(Run *run, int kind, u32 skill, u32 history, const u8 *letters, u32 length);
void forget_wants(Run *run);
int proceed(Run *run, int drain);

/* run.c */
PyObject *Core_start(Core *core, PyObject *arguments);
extern PyTypeObject RunType;

/* skill.c */
void clear_decisions(Core *core, Skill *skill, u32 keep);
void skill_free(Core *core, Skill *skill);
int are_letters(const Core *core, const char *letters, Py_ssize_t count);
int add_history(Core *core, Skill *skill, u32 depth, PyObject *recollection);
PyObject *Core_introduce(Core *core, PyObject *arguments);
Skill *need_skill(Core *core, unsigned long number);
PyObject *Core_connect(Core *core, PyObject *arguments);
PyObject *Core_drop(Core *core, PyObject *argument);

/* remember.c */
PyObject *Core_recollection(Core *core, PyObject *arguments);
PyObject *Core_learn(Core *core, PyObject *arguments);
PyObject *Core_know(Core *core, PyObject *arguments);
PyObject *Core_forget(Core *core, PyObject *nothing);

/* module.c */
int is_busy(Core *core);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

/* Most of the time there is room already. */
static inline int widen(Core *core, void **array, u32 *room, u32 wanted, size_t item, size_t *account)
{
    return wanted <= *room ? 0 : make_wider(core, array, room, wanted, item, account);
}

static inline void text_release(Text *text)
{
    if (text && !--text->users)
        text_free(text);
}

/* The first sign at or behind a place, at most `end`. */
static inline u32 next_sign(const Text *text, u32 at, u32 end)
{
    u32 rank = text->rank[at];
    u32 found = rank < text->signs ? text->places[rank] : text->used;
    return found < end ? found : end;
}

static inline Entry *table_start(const Table *table, u64 hash)
{
    return table->room ? table->slots[hash & (table->room - 1)] : NULL;
}

static inline Skill *skill_of(const Core *core, u32 number)
{
    return number < core->skill_count ? core->skills[number] : NULL;
}

#endif

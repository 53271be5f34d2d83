/* Answers to long messages, noted for as long as a run lasts. */

#include "core.h"

size_t note_size(const Note *note)
{
    return sizeof(Note) + note->length + note->answer_length;
}

void drop_draft(Core *core, Frame *frame)
{
    if (frame->draft)
        give_back(frame->draft, note_size(frame->draft), &core->drafted);
    frame->draft = NULL;
}

void forget_notes(Run *run)
{
    for (u32 i = 0; run->notes && i < NOTES; i++)
        PyMem_RawFree(run->notes[i]);
    PyMem_RawFree(run->notes);
    run->notes = NULL;
    run->noted = 0;
}

/* A note without its answer; NULL if there is no room for it, which does no harm. */
Note *new_draft(Core *core, u32 skill, u64 hash, const u8 *message, u32 length)
{
    if (core->drafted + sizeof(Note) + length > NOTE_BYTES)
        return NULL;
    Note *draft = grab(core, sizeof(Note) + length, &core->drafted);
    if (!draft)
        return NULL;
    *draft = (Note){.hash = hash, .skill = skill, .length = length};
    memcpy(draft->letters, message, length);
    return draft;
}

const Note *find_note(const Run *run, u32 skill, u64 hash, const u8 *message, u32 length)
{
    const Note *note = run->notes ? run->notes[hash % NOTES] : NULL;
    return note && note->hash == hash && note->skill == skill && note->length == length &&
                   !memcmp(note->letters, message, length)
               ? note
               : NULL;
}

/* Note the answer of the frame on top, unless a call below it was refused. */
void take_note(Run *run, Question *question, Frame *frame)
{
    Core *core = run->core;
    const Note *draft = frame->draft;
    size_t size = sizeof(Note) + draft->length + frame->length;
    if (question->refusals != frame->refusals || size > NOTE_BYTES)
        return;
    if (run->noted + size > NOTE_BYTES)
        forget_notes(run);
    if (!run->notes) {
        run->notes = grab(core, NOTES * sizeof(Note *), NULL);
        if (!run->notes)
            return;
        memset(run->notes, 0, NOTES * sizeof(Note *));
    }
    Note *note = grab(core, size, &run->noted);
    if (!note)
        return;
    memcpy(note, draft, sizeof(Note) + draft->length);
    note->calls = question->calls - frame->calls;
    note->height = frame->deepest >= question->depth ? frame->deepest - (question->depth - 1) : 0;
    note->answer_length = frame->length;
    copy_span(question->pieces + frame->first, question->top - frame->first, 0, frame->length,
              note->letters + note->length);
    Note **place = &run->notes[note->hash % NOTES];
    if (*place)
        give_back(*place, note_size(*place), &run->noted);
    *place = note;
}

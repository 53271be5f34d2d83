/* A question: its stacks, and how it ends. */

#include "core.h"

void empty_question(Core *core, Question *question)
{
    while (question->depth)
        drop_draft(core, &question->frames[--question->depth]);
    while (question->top)
        text_release(question->pieces[--question->top].text);
    PyMem_RawFree(question->refusal);
    question->refusal = NULL;
    question->refusals = 0;
    question->calls = 0;
}

void free_question(Core *core, Question *question)
{
    empty_question(core, question);
    give_back(question->frames, question->frame_room * sizeof(Frame), &core->held);
    give_back(question->pieces, question->piece_room * sizeof(Piece), &core->held);
    PyMem_RawFree(question);
}

Question *new_question(Core *core, Py_ssize_t number)
{
    Question *question = core->spare;
    core->spare = NULL;
    if (!question) {
        question = grab(core, sizeof(Question), NULL);
        if (!question)
            return NULL;
        memset(question, 0, sizeof(Question));
    }
    question->number = number;
    question->seconds = 0;
    question->next = NULL;
    return question;
}

void done_with_question(Core *core, Question *question)
{
    empty_question(core, question);
    if (core->spare || question->frame_room > 4096)
        free_question(core, question);
    else
        core->spare = question;
}

/* How a question ends; `answer` may be its last memory. */
int end_question(Run *run, Question *question, int status, u32 skill)
{
    Ending *ending = &run->endings[question->number];
    ending->status = status;
    ending->skill = skill;
    ending->calls = question->calls;
    ending->refusal = question->refusal;
    question->refusal = NULL;
    return ENDED;
}

int end_with(Run *run, Question *question, int status, u32 skill, const Piece *pieces, u32 count, u32 length)
{
    u8 *letters = grab(run->core, length, NULL);
    if (!letters)
        return LACKS_MEMORY;
    copy_span(pieces, count, 0, length, letters);
    run->endings[question->number].answer = letters;
    run->endings[question->number].length = length;
    return end_question(run, question, status, skill);
}

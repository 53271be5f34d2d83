/* Many questions: which is worked on, and what those want that cannot go on. */

#include "core.h"

int want(Run *run, int kind, u32 skill, u32 history, const u8 *letters, u32 length)
{
    u64 hash = hash_of(letters, length, ((u64)history << 24) + ((u64)skill << 2) + (u64)kind);
    for (Entry *e = table_start(&run->wanted, hash); e; e = e->next) {
        Want *w = (Want *)e;
        if (e->hash == hash && w->kind == kind && w->skill == skill && w->history == history && w->length == length &&
            !memcmp(w->letters, letters, length))
            return WAITS;
    }
    Want *made = grab(run->core, sizeof(Want) + length, NULL);
    if (!made)
        return LACKS_MEMORY;
    made->entry.hash = hash;
    made->kind = kind;
    made->skill = skill;
    made->history = history;
    made->length = length;
    made->later = NULL;
    memcpy(made->letters, letters, length);
    if (table_add(run->core, &run->wanted, &made->entry) < 0) {
        PyMem_RawFree(made);
        return LACKS_MEMORY;
    }
    *run->last_want = made;
    run->last_want = &made->later;
    run->wants++;
    return WAITS;
}

void forget_wants(Run *run)
{
    table_clear(&run->wanted, release_plain);
    run->first_want = NULL;
    run->last_want = &run->first_want;
    run->wants = 0;
}

static void keep_waiting(Run *run, Question *question)
{
    question->next = NULL;
    *run->waiting_end = question;
    run->waiting_end = &question->next;
    run->waiting_count++;
}

/* Work on the current question until it ends, waits, or it is time for a pause (then GOES_ON). */
static int work_on(Run *run)
{
    Core *core = run->core;
    Question *question = run->current;
    double begun = now();
    int result = GOES_ON;
    if (!question->depth)
        result = start_question(run, question);
    while (result == GOES_ON) {
        if (!--run->countdown)
            break;
        if (run->seconds >= 0 && run->countdown % CLOCK_STEPS == 0 && question->seconds + now() - begun > run->seconds) {
            result = end_question(run, question, TIME, question->frames[question->depth - 1].skill);
            break;
        }
        result = core->held > run->bytes ? LACKS_MEMORY : step(run, question);
    }
    drop_scratch(core);
    question->seconds += now() - begun;
    if (result == GOES_ON || result == WAITS) {
        if (run->seconds >= 0 && question->seconds > run->seconds)
            result = end_question(run, question, TIME,
                                  question->depth ? question->frames[question->depth - 1].skill : run->skill);
    }
    if (result == LACKS_MEMORY) {
        /* beside others it may have been their fault: then it has another try when they are done */
        if (run->waiting_count || run->resumed) {
            empty_question(core, question);
            question->next = run->parked;
            run->parked = question;
            run->current = NULL;
            return ENDED;
        }
        result = end_question(run, question, BYTES,
                              question->depth ? question->frames[question->depth - 1].skill : run->skill);
    }
    if (result == WAITS)
        keep_waiting(run, question);
    if (result == ENDED) {
        PyMem_RawFree(question->refusal);
        question->refusal = NULL;
        done_with_question(core, question);
    }
    if (result != GOES_ON)
        run->current = NULL;
    return result;
}

/* Work as far as possible; returns whether it was only a pause. */
int proceed(Run *run, int drain)
{
    Core *core = run->core;
    run->countdown = PAUSE_STEPS;
    for (;;) {
        if (!run->current && run->resumed) {
            run->current = run->resumed;
            run->resumed = run->current->next;
        }
        if (!run->current && !drain && !run->is_alone && run->next < run->count && run->waiting_count < AT_ONCE &&
            (!run->waiting_count || core->held < run->bytes / 2)) {
            run->current = new_question(core, run->next);
            if (run->current)
                run->next++;
            else if (!run->waiting_count) {
                run->endings[run->next].skill = run->skill;
                run->endings[run->next++].status = BYTES;
                continue;
            }
        }
        if (!run->current && !run->waiting_count && !drain && run->parked) {
            run->current = run->parked;
            run->parked = run->current->next;
            run->current->seconds = 0;
            run->is_alone = 1;
        }
        if (!run->current)
            return 0;
        if (work_on(run) == GOES_ON)
            return 1;
        if (!run->waiting_count && !run->resumed)
            run->is_alone = 0;
    }
}

/* One step of a question: a decision, the call it makes, the answer it writes. */

#include "core.h"

/* After a call the memory may be too long, or the skill may have made too many. */
static int check_frame(Run *run, Question *question, Frame *frame)
{
    const Skill *skill = skill_of(run->core, frame->skill);
    if (frame->length > run->memory)
        return end_question(run, question, GROWTH, frame->skill);
    if (skill->histories[frame->history].depth > run->steps)
        return end_with(run, question, STEPS, frame->skill, question->pieces + frame->first,
                        question->top - frame->first, frame->length);
    return GOES_ON;
}

/* A refused call leaves everything as it was; the first one is remembered. */
static int refuse(Run *run, Question *question, u32 callee, const u32 *spans)
{
    if (!question->depth)
        return end_question(run, question, REFUSED, callee);
    Frame *frame = &question->frames[question->depth - 1];
    question->refusals++;
    if (!question->refusal) {
        u32 x = spans[1] - spans[0], y = spans[3] - spans[2], count = question->top - frame->first;
        Refused *refused = grab(run->core, sizeof(Refused) + x + y, NULL);
        if (!refused)
            return LACKS_MEMORY;
        refused->skill = callee;
        refused->length_x = x;
        refused->length_y = y;
        copy_span(question->pieces + frame->first, count, spans[0], spans[1], refused->letters);
        copy_span(question->pieces + frame->first, count, spans[2], spans[3], refused->letters + x);
        question->refusal = refused;
    }
    return check_frame(run, question, frame);
}

/* There may be none, and then no place for them either. */
static void copy_pieces(Piece *to, const Piece *from, u32 count)
{
    if (count)
        memcpy(to, from, count * sizeof(Piece));
}

/* Put an answer into the memory of the frame on top. Its own pieces end where the frame above, if there was one, had
   its first; all pieces from there on are the answer, unless it is given as `text`. */
static int write_answer(Run *run, Question *question, u32 own_end, Text *text, u32 length)
{
    Core *core = run->core;
    Frame *frame = &question->frames[question->depth - 1];
    Piece *own = question->pieces + frame->first;
    u32 count = own_end - frame->first;
    drop_scratch(core);
    int failed = add_span(core, 0, own, count, 0, frame->write_start);
    if (text)
        failed = failed || add_piece(core, 0, text, 0, text->used);
    else
        for (u32 i = own_end; i < question->top && !failed; i++)
            failed = add_piece(core, 0, question->pieces[i].text, question->pieces[i].start, question->pieces[i].end);
    failed = failed || add_span(core, 0, own, count, frame->write_end, frame->length);
    u32 after = frame->length - (frame->write_end - frame->write_start) + length;
    failed = failed || join_pieces(core, after) || widen(core, (void **)&question->pieces, &question->piece_room,
                                                         frame->first + core->scratch_count, sizeof(Piece), &core->held);
    if (failed) {
        drop_scratch(core);
        return LACKS_MEMORY;
    }
    while (question->top > frame->first)
        text_release(question->pieces[--question->top].text);
    copy_pieces(question->pieces + frame->first, core->scratch, core->scratch_count);
    question->top += core->scratch_count;
    core->scratch_count = 0;
    frame->length = after;
    frame->history = frame->following;
    return check_frame(run, question, frame);
}

/* Start a frame from a message that is on the work list, the second read from `middle` on. */
static int push_frame(Run *run, Question *question, const Skill *skill, u32 middle, u32 length, u32 begun)
{
    Core *core = run->core;
    u32 count = core->scratch_count, top = question->top;
    /* with the text behind the message, which may be appended to the message's own */
    if (skill->after && add_piece(core, middle, skill->after, 0, skill->after->used) < 0)
        return LACKS_MEMORY;
    count = core->scratch_count;
    if (widen(core, (void **)&question->pieces, &question->piece_room, top + count + 2, sizeof(Piece), &core->held) < 0 ||
        widen(core, (void **)&question->frames, &question->frame_room, question->depth + 1, sizeof(Frame),
              &core->held) < 0)
        return LACKS_MEMORY;
    Piece *to = question->pieces + top;
    if (skill->before) {
        skill->before->users++;
        *to++ = (Piece){skill->before, 0, skill->before->used};
    }
    copy_pieces(to, core->scratch, middle);
    to += middle;
    if (skill->between) {
        skill->between->users++;
        *to++ = (Piece){skill->between, 0, skill->between->used};
    }
    copy_pieces(to, core->scratch + middle, count - middle);
    to += count - middle;
    core->scratch_count = 0;
    question->top = (u32)(to - question->pieces);
    Frame *frame = &question->frames[question->depth++];
    memset(frame, 0, sizeof(Frame));
    frame->skill = skill->number;
    frame->first = top;
    frame->length = length;
    frame->begun = begun;
    frame->calls = question->calls;
    frame->refusals = question->refusals;
    return GOES_ON;
}

/* Copy a message x|y to where it can be looked up. */
static int copy_message(Core *core, const Piece *pieces, u32 count, const u32 *spans)
{
    u32 x = spans[1] - spans[0], y = spans[3] - spans[2];
    if (widen(core, (void **)&core->message, &core->message_room, x + y + 1, 1, NULL) < 0)
        return -1;
    copy_span(pieces, count, spans[0], spans[1], core->message);
    core->message[x] = '|';
    copy_span(pieces, count, spans[2], spans[3], core->message + x + 1);
    return 0;
}

/* The frame on top makes a call, which goes so much deeper than itself. */
static inline void go_deep(Question *question, u32 height)
{
    if (question->depth && question->frames[question->depth - 1].deepest < question->depth + height)
        question->frames[question->depth - 1].deepest = question->depth + height;
}

/* Write the noted answer, as if the work below had been done again. */
static int write_note(Run *run, Question *question, const Note *note)
{
    Core *core = run->core;
    Text *text = text_new(core, note->answer_length + SHORT, &core->held);
    if (!text)
        return LACKS_MEMORY;
    text_append(core, text, note->letters + note->length, note->answer_length);
    question->calls += note->calls;
    go_deep(question, note->height);
    int result = write_answer(run, question, question->top, text, text->used);
    text_release(text);
    return result;
}

/* Send a message: spans of some pieces. A new frame, an answer at once, a refusal, a wait or the end. */
static int call(Run *run, Question *question, u32 number, const Piece *pieces, u32 count, const u32 *spans,
                int may_note)
{
    Core *core = run->core;
    const Skill *skill = skill_of(core, number);
    u32 x = spans[1] - spans[0], y = spans[3] - spans[2];
    u64 whole = (u64)x + y + skill->layout_length;
    int is_within = question->depth <= run->depth && whole <= run->memory;
    may_note = may_note && !skill->is_basic && is_within && x + y >= NOTEWORTHY;
    u64 hash = 0;
    if (may_note) { /* what was noted was accepted */
        if (copy_message(core, pieces, count, spans) < 0)
            return LACKS_MEMORY;
        hash = hash_of(core->message, x + y + 1, number);
        const Note *note = find_note(run, number, hash, core->message, x + y + 1);
        if (note && question->calls + note->calls <= run->calls && question->depth + note->height <= run->depth)
            return write_note(run, question, note);
    }
    if (skill->is_basic && is_within) { /* what is known was accepted */
        if (copy_message(core, pieces, count, spans) < 0)
            return LACKS_MEMORY;
        Known *known = find_known(core, number, core->message, x + y + 1);
        go_deep(question, 0);
        if (known && question->depth)
            return write_answer(run, question, question->top, known->answer, known->answer->used);
        if (known) {
            Piece piece = {known->answer, 0, known->answer->used};
            return end_with(run, question, ANSWERED, number, &piece, 1, known->answer->used);
        }
    }
    drop_scratch(core);
    if (add_span(core, 0, pieces, count, spans[0], spans[1]) < 0)
        return LACKS_MEMORY;
    u32 middle = core->scratch_count;
    if (add_span(core, middle, pieces, count, spans[2], spans[3]) < 0)
        return LACKS_MEMORY;
    if (!accepts(core, skill->x, core->scratch, middle) ||
        !accepts(core, skill->y, core->scratch + middle, core->scratch_count - middle))
        return refuse(run, question, number, spans);
    if (question->depth > run->depth)
        return end_question(run, question, DEPTH, number);
    if (whole > run->memory)
        return end_question(run, question, LENGTH, number);
    if (skill->is_basic)
        return copy_message(core, pieces, count, spans) < 0
                   ? LACKS_MEMORY
                   : want(run, AN_ANSWER, number, 0, core->message, x + y + 1);
    go_deep(question, 0);
    Note *draft = may_note ? new_draft(core, number, hash, core->message, x + y + 1) : NULL;
    u32 begun = measure(skill, pieces, count, spans);
    int result = push_frame(run, question, skill, middle, (u32)whole, begun);
    if (result == GOES_ON)
        question->frames[question->depth - 1].draft = draft;
    else if (draft)
        give_back(draft, note_size(draft), &core->drafted);
    return result;
}

/* The frame on top halts: its memory is the answer. */
static int halt(Run *run, Question *question, Frame *frame)
{
    Core *core = run->core;
    if (question->depth == 1)
        return end_with(run, question, ANSWERED, frame->skill, question->pieces + frame->first,
                        question->top - frame->first, frame->length);
    if (frame->draft)
        take_note(run, question, frame);
    drop_draft(core, frame);
    u32 first = frame->first, length = frame->length;
    if (frame[-1].deepest < frame->deepest)
        frame[-1].deepest = frame->deepest;
    question->depth--;
    int result = write_answer(run, question, first, NULL, length);
    if (result == LACKS_MEMORY)
        question->depth++;
    return result;
}

/* One decision of the frame on top, and what follows from it. */
int step(Run *run, Question *question)
{
    Core *core = run->core;
    Frame *frame = &question->frames[question->depth - 1];
    const Skill *skill = skill_of(core, frame->skill);
    if (!skill)
        return end_question(run, question, REFUSED, frame->skill);
    if (skill->most_calls && skill->histories[frame->history].depth >= skill->most_calls)
        return halt(run, question, frame);
    const Piece *pieces = question->pieces + frame->first;
    u32 count = question->top - frame->first;
    if (look(core, skill, pieces, count, frame->length) < 0)
        return LACKS_MEMORY;
    const Decision *decision = find_decision(skill, frame->history, core->view, core->view_length);
    if (!decision)
        return want(run, A_DECISION, frame->skill, frame->history, core->view, core->view_length);
    if (!decision->module)
        return halt(run, question, frame);
    if (question->calls >= run->calls) {
        question->calls++;
        return end_question(run, question, CALLS, run->skill);
    }
    u32 spans[6];
    for (int i = 0; i < 6; i++)
        spans[i] = core->gaps[decision->gaps[i]];
    u32 number = skill->callees[decision->module], history = frame->history;
    const Skill *callee = skill_of(core, number);
    question->calls++;
    run->decisions++;
    frame->write_start = spans[4];
    frame->write_end = spans[5];
    frame->history = frame->following = decision->following;
    int result;
    if (!callee || (skill->own[decision->module] && measure(callee, pieces, count, spans) >= frame->begun))
        result = refuse(run, question, number, spans);
    else
        result = call(run, question, number, pieces, count, spans, !skill->own[decision->module]);
    if (result == WAITS) { /* as if nothing had happened: it will be decided again */
        question->calls--;
        question->frames[question->depth - 1].history = history;
    }
    return result;
}

/* The message from outside. */
int start_question(Run *run, Question *question)
{
    Core *core = run->core;
    const u8 *message = run->texts[question->number];
    u32 length = run->lengths[question->number];
    const u8 *bar = memchr(message, '|', length);
    u32 x = bar ? (u32)(bar - message) : length, y = bar ? length - x - 1 : 0;
    for (u32 i = 0; i < length; i++)
        if (core->letter[message[i]] == NO_SKIP && message + i != bar)
            return end_question(run, question, REFUSED, run->skill);
    Text *text = text_new(core, x + y + SHORT, &core->held);
    if (!text)
        return LACKS_MEMORY;
    text_append(core, text, message, x);
    text_append(core, text, message + x + 1, y);
    Piece piece = {text, 0, x + y};
    u32 spans[4] = {0, x, x, x + y};
    int result = call(run, question, run->skill, &piece, 1, spans, 0);
    text_release(text);
    return result;
}

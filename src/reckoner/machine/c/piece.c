/* Lists of pieces of texts, which memories and messages are made of. */

#include "core.h"

/* Add a piece to the work list. Pieces that follow one another in a text become one; a few characters are appended to
   the text before them if it ends there. Nothing is joined with what is below `floor`. */
int add_piece(Core *core, u32 floor, Text *text, u32 start, u32 end)
{
    if (start == end)
        return 0;
    if (core->scratch_count > floor) {
        Piece *last = &core->scratch[core->scratch_count - 1];
        if (last->text == text && last->end == start) {
            last->end = end;
            return 0;
        }
        if (end - start <= SHORT && last->end == last->text->used && !last->text->is_fixed) {
            u8 letters[SHORT];
            memcpy(letters, text->letters + start, end - start);
            if (text_append(core, last->text, letters, end - start) < 0)
                return -1;
            last->end = last->text->used;
            return 0;
        }
    }
    if (widen(core, (void **)&core->scratch, &core->scratch_room, core->scratch_count + 1, sizeof(Piece), NULL) < 0)
        return -1;
    Piece *piece = &core->scratch[core->scratch_count++];
    piece->text = text;
    piece->start = start;
    piece->end = end;
    text->users++;
    return 0;
}

/* Add the characters from `start` to `end` of a memory. */
int add_span(Core *core, u32 floor, const Piece *pieces, u32 count, u32 start, u32 end)
{
    u32 place = 0;
    for (u32 i = 0; i < count && place < end; i++) {
        u32 length = pieces[i].end - pieces[i].start;
        if (place + length > start) {
            u32 from = start > place ? start - place : 0;
            u32 to = end < place + length ? end - place : length;
            if (add_piece(core, floor, pieces[i].text, pieces[i].start + from, pieces[i].start + to) < 0)
                return -1;
        }
        place += length;
    }
    return 0;
}

void drop_scratch(Core *core)
{
    while (core->scratch_count)
        text_release(core->scratch[--core->scratch_count].text);
}

void copy_span(const Piece *pieces, u32 count, u32 start, u32 end, u8 *out)
{
    u32 place = 0;
    for (u32 i = 0; i < count && place < end; i++) {
        u32 length = pieces[i].end - pieces[i].start;
        if (place + length > start) {
            u32 from = start > place ? start - place : 0;
            u32 to = end < place + length ? end - place : length;
            memcpy(out, pieces[i].text->letters + pieces[i].start + from, to - from);
            out += to - from;
        }
        place += length;
    }
}

/* Join short pieces of the work list; all of them if there are still too many. */
int join_pieces(Core *core, u32 length)
{
    for (u32 shortest = SHORT; core->scratch_count > MANY; shortest = length) {
        u32 kept = 0, count = core->scratch_count;
        for (u32 i = 0; i < count;) {
            u32 j = i, sum = 0;
            while (j < count && core->scratch[j].end - core->scratch[j].start <= shortest) {
                sum += core->scratch[j].end - core->scratch[j].start;
                j++;
            }
            if (j < i + 2) {
                core->scratch[kept++] = core->scratch[i++];
                continue;
            }
            Text *text = text_new(core, sum + SHORT, &core->held);
            int failed = !text;
            for (u32 k = i; k < j && !failed; k++) {
                Piece *piece = &core->scratch[k];
                failed = text_append(core, text, piece->text->letters + piece->start, piece->end - piece->start) < 0;
            }
            if (failed) { /* close the gap, so that every piece is released once */
                text_release(text);
                memmove(core->scratch + kept, core->scratch + i, (count - i) * sizeof(Piece));
                core->scratch_count = kept + count - i;
                return -1;
            }
            for (u32 k = i; k < j; k++)
                text_release(core->scratch[k].text);
            core->scratch[kept].text = text;
            core->scratch[kept].start = 0;
            core->scratch[kept++].end = sum;
            i = j;
        }
        core->scratch_count = kept;
        if (kept <= MANY + MANY || shortest == length)
            break;
    }
    return 0;
}

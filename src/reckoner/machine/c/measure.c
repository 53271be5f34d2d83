/* How long a message is: exactly as Skill.measure says. A skill may call itself on shorter ones only. */

#include "core.h"

typedef struct {
    u32 symbols;
    int in_number; /* which is counted when it ends */
} Tally;

/* Every sign counts, and every number with its decimals once. */
static void add_text(Tally *tally, const Text *text, u32 start, u32 end)
{
    u32 at = start;
    for (u32 k = text->rank[start]; k < text->rank[end]; k++) {
        u32 place = text->places[k];
        if (text->letters[place] == '.')
            continue;
        tally->symbols += 1 + (place > at || tally->in_number);
        tally->in_number = 0;
        at = place + 1;
    }
    if (end > at)
        tally->in_number = 1;
}

static void add_whole(Tally *tally, const Text *text)
{
    if (text)
        add_text(tally, text, 0, text->used);
}

static void add_part(Tally *tally, const Piece *pieces, u32 count, u32 start, u32 end)
{
    u32 place = 0;
    for (u32 i = 0; i < count && place < end; i++) {
        u32 length = pieces[i].end - pieces[i].start;
        if (place + length > start && start < end) {
            u32 from = start > place ? start - place : 0;
            u32 to = end < place + length ? end - place : length;
            add_text(tally, pieces[i].text, pieces[i].start + from, pieces[i].start + to);
        }
        place += length;
    }
}

u32 measure(const Skill *skill, const Piece *pieces, u32 count, const u32 *spans)
{
    if (!skill->reads_decimals)
        return spans[1] - spans[0] + spans[3] - spans[2] + skill->layout_length;
    Tally tally = {0, 0};
    add_whole(&tally, skill->before);
    add_part(&tally, pieces, count, spans[0], spans[1]);
    add_whole(&tally, skill->between);
    add_part(&tally, pieces, count, spans[2], spans[3]);
    add_whole(&tally, skill->after);
    return tally.symbols + (u32)tally.in_number;
}

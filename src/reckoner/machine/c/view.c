/* How a memory looks to a skill: exactly as alphabet.py says. */

#include "core.h"

typedef struct {
    const Piece *piece, *end;
    u32 at, place;
} Reader;

typedef struct {
    u32 start, end;
    u8 sign; /* 0: a number */
} Lexeme;

/* The next number or sign of a memory; a number may go on in the next piece. */
static int read_lexeme(Reader *reader, Lexeme *lexeme)
{
    lexeme->start = reader->place;
    lexeme->sign = 0;
    while (reader->piece < reader->end) {
        const Piece *piece = reader->piece;
        if (reader->at == piece->end) {
            reader->piece++;
            if (reader->piece < reader->end)
                reader->at = reader->piece->start;
            continue;
        }
        u32 stop = next_sign(piece->text, reader->at, piece->end);
        if (stop == reader->at) {
            if (reader->place == lexeme->start) {
                lexeme->sign = piece->text->letters[reader->at++];
                reader->place++;
            }
            break;
        }
        reader->place += stop - reader->at;
        reader->at = stop;
        if (stop < piece->end)
            break;
    }
    lexeme->end = reader->place;
    return lexeme->end > lexeme->start;
}

/* The next lexeme, where a number goes on behind a point if digits follow it. */
static int read_decimal(Reader *reader, Lexeme *lexeme)
{
    if (!read_lexeme(reader, lexeme))
        return 0;
    Reader ahead = *reader;
    Lexeme point, decimals;
    if (!lexeme->sign && read_lexeme(&ahead, &point) && point.sign == '.' && read_lexeme(&ahead, &decimals) &&
        !decimals.sign) {
        lexeme->end = decimals.end;
        *reader = ahead;
    }
    return 1;
}

static int view_room(Core *core, u32 more)
{
    u32 wanted = core->view_length + more + 1, room = core->view_room;
    if (wanted <= room)
        return 0;
    if (widen(core, (void **)&core->view, &room, wanted, 1, NULL) < 0)
        return -1;
    u32 gap_room = core->view_room;
    if (widen(core, (void **)&core->gaps, &gap_room, wanted, sizeof(u32), NULL) < 0)
        return -1; /* the view is wider than noted: no harm */
    core->view_room = room < gap_room ? room : gap_room;
    return 0;
}

static inline void see(Core *core, u8 token, u32 gap)
{
    core->view[core->view_length++] = token;
    core->gaps[core->gap_count++] = gap;
}

static int see_number(Core *core, const Skill *skill, u32 start, u32 end)
{
    u32 fovea = (u32)skill->fovea, length = end - start;
    if (!fovea) {
        see(core, skill->digit_tokens[skill->digit_starts[1]], end);
        return 0;
    }
    u32 shown = length <= fovea + fovea ? length : fovea + fovea + 1;
    const u8 *tokens = skill->digit_tokens + skill->digit_starts[shown];
    for (u32 i = 0; i < shown; i++)
        see(core, tokens[i], i < fovea || shown == length ? start + i + 1 : end - (shown - 1 - i));
    return 0;
}

/* How far an expression is read: to its reach, a closing bracket, or an opening one (behind it, if it holds just a
   number). The lexemes up to there are left in `found`; there is room for reach + 4 of numbers with what is between. */
static long read_ahead(Core *core, const Skill *skill, Reader *reader, u32 length, Lexeme **found, u32 *count)
{
    u32 i = 0, fetched = 0, numbers = 0;
    long visible = -1;
#define FETCH(wanted)                                                                                                  \
    while (fetched <= (wanted)) {                                                                                      \
        if (widen(core, (void **)&core->message, &core->message_room, (fetched + 2) * sizeof(Lexeme), 1, NULL) < 0)    \
            return -2;                                                                                                 \
        *found = (Lexeme *)core->message;                                                                              \
        if (!(skill->reads_decimals ? read_decimal : read_lexeme)(reader, *found + fetched))                           \
            break;                                                                                                     \
        fetched++;                                                                                                     \
    }
#define IS(place, character) ((place) < fetched && (*found)[place].sign == (character))
    while (visible < 0) {
        FETCH(i + 3)
        if (i >= fetched) {
            visible = length;
            break;
        }
        Lexeme *here = *found + i;
        u32 end = here->end;
        if (here->sign == '(') {
            u32 j = IS(i + 1, '-') ? i + 2 : i + 1;
            visible = IS(j, 0) && IS(j + 1, ')') ? (*found)[j + 1].end : end;
            break;
        }
        if (here->sign == ')') {
            visible = end;
            break;
        }
        if (!here->sign)
            numbers++;
        else if (here->sign == '-' && !(i && (!here[-1].sign || here[-1].sign == ')')) && IS(i + 1, 0)) {
            numbers++;
            end = (*found)[++i].end;
        }
        i++;
        if ((long)numbers == skill->reach)
            visible = end;
    }
#undef FETCH
#undef IS
    *count = fetched;
    return visible;
}

/* Fill in view and gaps. */
int look(Core *core, const Skill *skill, const Piece *pieces, u32 count, u32 length)
{
    core->view_length = core->gap_count = 0;
    u32 widest = 2 * (u32)skill->fovea + 4;
    if (view_room(core, widest) < 0)
        return -1;
    see(core, skill->ids[0], 0); /* id 0: BEGIN, 1: END, 2: REST */
    if (skill->sees_characters) {
        if (view_room(core, length + 2) < 0)
            return -1;
        u32 place = 0;
        for (u32 i = 0; i < count; i++)
            for (u32 at = pieces[i].start; at < pieces[i].end; at++)
                see(core, skill->ids[pieces[i].text->letters[at]], ++place);
        core->view[core->view_length++] = skill->ids[1];
        return 0;
    }
    Reader reader = {pieces, pieces + count, count ? pieces->start : 0, 0};
    if (skill->reach < 0) {
        Lexeme lexeme;
        while (read_lexeme(&reader, &lexeme)) {
            if (view_room(core, widest) < 0)
                return -1;
            if (lexeme.sign)
                see(core, skill->ids[lexeme.sign], lexeme.end);
            else
                see_number(core, skill, lexeme.start, lexeme.end);
        }
    } else {
        Lexeme *found = NULL;
        u32 fetched = 0;
        long visible = read_ahead(core, skill, &reader, length, &found, &fetched);
        if (visible < -1)
            return -1;
        for (u32 i = 0; i < fetched && found[i].end <= (u32)visible; i++) {
            if (view_room(core, widest) < 0)
                return -1;
            int is_signed = !skill->fovea && found[i].sign == '-' &&
                            !(i && (!found[i - 1].sign || found[i - 1].sign == ')')) && i + 1 < fetched &&
                            !found[i + 1].sign && found[i + 1].end <= (u32)visible;
            if (is_signed)
                i++; /* the minus belongs to the number */
            if (found[i].sign)
                see(core, skill->ids[found[i].sign], found[i].end);
            else
                see_number(core, skill, found[i].start, found[i].end);
        }
        if ((u32)visible < length)
            see(core, skill->ids[2], length);
    }
    core->view[core->view_length++] = skill->ids[1];
    return 0;
}

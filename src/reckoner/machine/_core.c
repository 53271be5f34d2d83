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

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum { ANSWERED, REFUSED, CALLS, DEPTH, LENGTH, GROWTH, STEPS, TIME, BYTES }; /* as in core.py */
enum { GOES_ON, WAITS, ENDED, LACKS_MEMORY };                                  /* what a step comes to */
enum { A_DECISION, AN_ANSWER, A_VERDICT };                                     /* what can be wanted */

#define NOBODY UINT32_MAX
#define NO_SKIP 255      /* in tails: all of a number matters */
#define AT_ONCE 4096     /* questions under way at the same time */
#define MANY 6           /* pieces of a memory, before short ones are joined */
#define SHORT 32         /* characters of a piece that is worth joining */
#define LONG 64          /* signs in a piece, before a table of its endings pays */
#define PAUSE_STEPS 32768 /* steps between two looks at signals */
#define CLOCK_STEPS 1024  /* … and at the clock */
#define NOTEWORTHY 40     /* characters of a message whose answer is noted */
#define NOTES 4096        /* places for notes */
#define NOTE_BYTES ((size_t)16 << 20) /* … and what they may take */

/* --- texts --- */

typedef struct Endings {
    struct Endings *next;
    u32 automaton; /* its serial number */
    u32 end;
    u64 good[]; /* per place, the states from which the characters up to `end` are accepted */
} Endings;

typedef struct {
    long users;
    u32 used, room;
    u32 signs;      /* characters that are no digits */
    int is_fixed;   /* nothing may be appended */
    u32 *rank;      /* per place: how many signs are before it */
    u32 *places;    /* of the signs */
    u8 *letters;
    Endings *endings;
    size_t *account; /* who pays for it */
} Text;

typedef struct {
    Text *text;
    u32 start, end;
} Piece;

/* --- what is known of a skill --- */

typedef struct {
    u32 serial;
    u32 states;
    u8 *following; /* states × letters */
    u8 *accepting;
    u8 *tails;
} Automaton;

typedef struct Entry {
    struct Entry *next;
    u64 hash;
} Entry;

typedef struct {
    Entry **slots;
    size_t room, used;
} Table;

typedef struct {
    Entry entry;
    u32 history, following, module;
    u32 gaps[6];
    u32 length;
    u8 view[];
} Decision;

typedef struct {
    Entry entry;
    u32 skill;
    int verdict;  /* for a message that Python was asked about: accepted or not; for an answer -1 */
    Text *answer; /* or NULL */
    u32 length;
    u8 message[];
} Known;

typedef struct {
    u32 depth; /* how many decisions */
    PyObject *recollection;
} History;

typedef struct {
    u32 number;
    int is_basic, sees_characters, fovea;
    long reach; /* negative: all */
    u8 ids[256];
    u32 *digit_starts; /* where in digit_tokens the tokens of a number of so many digits begin */
    u8 *digit_tokens;
    Text *before, *between, *after; /* NULL: nothing */
    u32 layout_length;
    Automaton *x, *y; /* NULL: Python is asked */
    u32 modules;
    u32 *callees;
    u8 *own;
    Table decisions;
    size_t decided_bytes;
    History *histories;
    u32 history_count, history_room;
} Skill;

typedef struct {
    u32 skill, length_x, length_y;
    u8 letters[];
} Refused;

typedef struct {
    u64 hash;
    u64 calls;  /* below it */
    u32 skill, height; /* height: how much deeper the calls below it went */
    u32 length, answer_length;
    u8 letters[]; /* the message x|y, then the answer */
} Note;

/* --- questions --- */

typedef struct {
    u32 skill, history;
    u32 first;  /* its first piece; it has all from there to the next frame's */
    u32 length; /* characters of the memory now */
    u32 begun;  /* … and when it started */
    u32 write_start, write_end, following; /* of the call under way */
    u32 deepest;  /* the depth from which the deepest call so far was made */
    u32 refusals; /* of the question, when it started */
    u64 calls;    /* likewise */
    Note *draft;  /* without its answer; NULL: it will not be noted */
} Frame;

typedef struct Question {
    struct Question *next;
    Py_ssize_t number;
    Frame *frames;
    u32 depth, frame_room;
    Piece *pieces;
    u32 top, piece_room;
    u64 calls;
    double seconds;
    Refused *refusal;
    u32 refusals; /* how many */
} Question;

typedef struct {
    int status; /* -1: not yet */
    u32 skill;
    u64 calls;
    u8 *answer;
    u32 length;
    Refused *refusal;
} Ending;

typedef struct Want {
    Entry entry;
    struct Want *later;
    int kind;
    u32 skill, history, length;
    u8 letters[];
} Want;

typedef struct {
    PyObject_HEAD
    u8 is_digit[256];
    u8 letter[256]; /* a character's place in the alphabet; outside of it NO_SKIP */
    u32 letters;    /* how many there are */
    Skill **skills; /* by number; 0 is never used */
    u32 skill_count, skill_room;
    Table known, old_known;
    size_t known_bytes; /* of the newer half */
    size_t answer_bytes, decided_bytes;
    size_t held;    /* bytes of questions under way */
    size_t drafted; /* … and of notes that have no answer yet */
    long fuse;      /* for tests: so many allocations more succeed; negative: all */
    u32 serial;     /* of automata */
    u32 generation; /* grows whenever all is forgotten */
    int busy;
    u8 *view;       /* the view looked at last, its gaps, and other room to work in */
    u32 *gaps;
    u32 view_length, gap_count, view_room;
    u8 *message;
    u32 message_room;
    Piece *scratch;
    u32 scratch_count, scratch_room;
    Question *spare; /* one question's stacks, to be used again */
} Core;

typedef struct {
    PyObject_HEAD
    Core *core;
    u32 skill, generation;
    PyObject *messages; /* a tuple of bytes */
    u8 **texts;         /* … and where they are, for use without Python's lock */
    u32 *lengths;
    Py_ssize_t count, next;
    Ending *endings;
    Question *waiting, **waiting_end, *resumed, *parked, *current;
    u32 waiting_count;
    int is_alone; /* one that needed too much beside others has another try by itself */
    Table wanted;
    Want *first_want, **last_want;
    Py_ssize_t wants;
    u64 calls;
    u32 depth, memory, steps;
    double seconds; /* negative: no limit */
    size_t bytes;
    double since;   /* when all began to wait; 0: nobody waits */
    u32 countdown;
    Note **notes; /* NOTES places, or NULL as long as there is none */
    size_t noted; /* bytes */
    u64 decisions; /* carried out: those below a noted answer are not */
} Run;

/* --- memory --- */

static void *grab(Core *core, size_t size, size_t *account)
{
    if (core->fuse >= 0 && core->fuse-- == 0) {
        core->fuse = 0;
        return NULL;
    }
    void *found = PyMem_RawMalloc(size ? size : 1);
    if (found && account)
        *account += size;
    return found;
}

static void give_back(void *what, size_t size, size_t *account)
{
    if (what && account)
        *account -= size;
    PyMem_RawFree(what);
}

/* Make room for `wanted` items of some size; the array keeps what it holds. */
static int widen(Core *core, void **array, u32 *room, u32 wanted, size_t item, size_t *account)
{
    if (wanted <= *room)
        return 0;
    size_t wider = *room ? *room : 8;
    while (wider < wanted)
        wider += wider;
    if (wider > UINT32_MAX)
        return -1;
    void *found = grab(core, wider * item, account);
    if (!found)
        return -1;
    if (*array)
        memcpy(found, *array, *room * item);
    give_back(*array, *room * item, account);
    *array = found;
    *room = (u32)wider;
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- texts --- */

static size_t text_size(u32 room)
{
    return (size_t)(room + 1) * sizeof(u32) + (size_t)room * sizeof(u32) + room;
}

static Text *text_new(Core *core, u32 room, size_t *account)
{
    Text *text = grab(core, sizeof(Text), account);
    if (!text)
        return NULL;
    void *block = grab(core, text_size(room), account);
    if (!block) {
        give_back(text, sizeof(Text), account);
        return NULL;
    }
    memset(text, 0, sizeof(Text));
    text->users = 1;
    text->room = room;
    text->account = account;
    text->rank = block;
    text->places = text->rank + room + 1;
    text->letters = (u8 *)(text->places + room);
    text->rank[0] = 0;
    return text;
}

static void text_release(Text *text)
{
    if (!text || --text->users)
        return;
    size_t *account = text->account;
    while (text->endings) {
        Endings *endings = text->endings;
        text->endings = endings->next;
        give_back(endings, sizeof(Endings) + ((size_t)endings->end + 1) * sizeof(u64), account);
    }
    give_back(text->rank, text_size(text->room), account);
    give_back(text, sizeof(Text), account);
}

static int text_append(Core *core, Text *text, const u8 *letters, u32 count)
{
    if (text->used + count > text->room) {
        u32 room = text->room + text->room / 2 + count;
        u32 *rank = grab(core, text_size(room), text->account);
        if (!rank)
            return -1;
        u32 *places = rank + room + 1;
        u8 *copy = (u8 *)(places + room);
        memcpy(rank, text->rank, (text->used + 1) * sizeof(u32));
        memcpy(places, text->places, text->signs * sizeof(u32));
        memcpy(copy, text->letters, text->used);
        give_back(text->rank, text_size(text->room), text->account);
        text->rank = rank;
        text->places = places;
        text->letters = copy;
        text->room = room;
    }
    for (u32 i = 0; i < count; i++) {
        u32 at = text->used++;
        text->letters[at] = letters[i];
        if (!core->is_digit[letters[i]])
            text->places[text->signs++] = at;
        text->rank[at + 1] = text->signs;
    }
    return 0;
}

/* The first sign at or behind a place, at most `end`. */
static inline u32 next_sign(const Text *text, u32 at, u32 end)
{
    u32 rank = text->rank[at];
    u32 found = rank < text->signs ? text->places[rank] : text->used;
    return found < end ? found : end;
}

/* --- lists of pieces --- */

/* Add a piece to the work list. Pieces that follow one another in a text become one; a few characters are appended to
   the text before them if it ends there. Nothing is joined with what is below `floor`. */
static int add_piece(Core *core, u32 floor, Text *text, u32 start, u32 end)
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
static int add_span(Core *core, u32 floor, const Piece *pieces, u32 count, u32 start, u32 end)
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

static void drop_scratch(Core *core)
{
    while (core->scratch_count)
        text_release(core->scratch[--core->scratch_count].text);
}

static void copy_span(const Piece *pieces, u32 count, u32 start, u32 end, u8 *out)
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
static int join_pieces(Core *core, u32 length)
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

/* --- tables --- */

static u64 hash_of(const u8 *letters, u32 count, u64 seed)
{
    const u64 mix = 0x9E3779B97F4A7C15u;
    u64 hash = (seed + count) * mix;
    for (; count >= 8; count -= 8, letters += 8) {
        u64 word;
        memcpy(&word, letters, 8);
        hash = (hash ^ word) * mix;
        hash ^= hash >> 29;
    }
    u64 word = 0;
    memcpy(&word, letters, count);
    hash = (hash ^ word) * mix;
    return hash ^ hash >> 32;
}

static int table_add(Core *core, Table *table, Entry *entry)
{
    if (table->used >= table->room) {
        size_t room = table->room ? 4 * table->room : 64;
        Entry **slots = grab(core, room * sizeof(Entry *), NULL);
        if (!slots)
            return -1;
        memset(slots, 0, room * sizeof(Entry *));
        for (size_t i = 0; i < table->room; i++)
            for (Entry *e = table->slots[i], *next; e; e = next) {
                next = e->next;
                e->next = slots[e->hash & (room - 1)];
                slots[e->hash & (room - 1)] = e;
            }
        PyMem_RawFree(table->slots);
        table->slots = slots;
        table->room = room;
    }
    Entry **slot = &table->slots[entry->hash & (table->room - 1)];
    entry->next = *slot;
    *slot = entry;
    table->used++;
    return 0;
}

static inline Entry *table_start(const Table *table, u64 hash)
{
    return table->room ? table->slots[hash & (table->room - 1)] : NULL;
}

static void table_clear(Table *table, void (*release)(Entry *))
{
    for (size_t i = 0; i < table->room; i++)
        for (Entry *e = table->slots[i], *next; e; e = next) {
            next = e->next;
            release(e);
        }
    PyMem_RawFree(table->slots);
    memset(table, 0, sizeof(Table));
}

static void release_plain(Entry *entry)
{
    PyMem_RawFree(entry);
}

static void release_known(Entry *entry)
{
    text_release(((Known *)entry)->answer);
    PyMem_RawFree(entry);
}

static Decision *find_decision(const Skill *skill, u32 history, const u8 *view, u32 length)
{
    u64 hash = hash_of(view, length, history);
    for (Entry *e = table_start(&skill->decisions, hash); e; e = e->next) {
        Decision *d = (Decision *)e;
        if (e->hash == hash && d->history == history && d->length == length && !memcmp(d->view, view, length))
            return d;
    }
    return NULL;
}

static Known *find_in(const Table *table, u64 hash, u32 skill, int is_answer, const u8 *message, u32 length)
{
    for (Entry *e = table_start(table, hash); e; e = e->next) {
        Known *k = (Known *)e;
        if (e->hash == hash && k->skill == skill && (k->verdict < 0) == is_answer && k->length == length &&
            !memcmp(k->message, message, length))
            return k;
    }
    return NULL;
}

static Known *find_known(const Core *core, u32 skill, int is_answer, const u8 *message, u32 length)
{
    u64 hash = hash_of(message, length, skill);
    Known *found = find_in(&core->known, hash, skill, is_answer, message, length);
    return found ? found : find_in(&core->old_known, hash, skill, is_answer, message, length);
}

/* --- how a memory looks to a skill: exactly as alphabet.py says --- */

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
        if (!read_lexeme(reader, *found + fetched))                                                                    \
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
static int look(Core *core, const Skill *skill, const Piece *pieces, u32 count, u32 length)
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

/* --- which messages are accepted --- */

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

static int accepts(Core *core, const Automaton *automaton, const Piece *pieces, u32 count)
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

/* --- wants --- */

static int want(Run *run, int kind, u32 skill, u32 history, const u8 *letters, u32 length)
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

static void forget_wants(Run *run)
{
    table_clear(&run->wanted, release_plain);
    run->first_want = NULL;
    run->last_want = &run->first_want;
    run->wants = 0;
}

/* --- notes --- */

static size_t note_size(const Note *note)
{
    return sizeof(Note) + note->length + note->answer_length;
}

static void drop_draft(Core *core, Frame *frame)
{
    if (frame->draft)
        give_back(frame->draft, note_size(frame->draft), &core->drafted);
    frame->draft = NULL;
}

static void forget_notes(Run *run)
{
    for (u32 i = 0; run->notes && i < NOTES; i++)
        PyMem_RawFree(run->notes[i]);
    PyMem_RawFree(run->notes);
    run->notes = NULL;
    run->noted = 0;
}

/* A note without its answer; NULL if there is no room for it, which does no harm. */
static Note *new_draft(Core *core, u32 skill, u64 hash, const u8 *message, u32 length)
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

static const Note *find_note(const Run *run, u32 skill, u64 hash, const u8 *message, u32 length)
{
    const Note *note = run->notes ? run->notes[hash % NOTES] : NULL;
    return note && note->hash == hash && note->skill == skill && note->length == length &&
                   !memcmp(note->letters, message, length)
               ? note
               : NULL;
}

/* Note the answer of the frame on top, unless a call below it was refused. */
static void take_note(Run *run, Question *question, Frame *frame)
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

/* --- one question --- */

static Skill *skill_of(const Core *core, u32 number)
{
    return number < core->skill_count ? core->skills[number] : NULL;
}

static void empty_question(Core *core, Question *question)
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

static void free_question(Core *core, Question *question)
{
    empty_question(core, question);
    give_back(question->frames, question->frame_room * sizeof(Frame), &core->held);
    give_back(question->pieces, question->piece_room * sizeof(Piece), &core->held);
    PyMem_RawFree(question);
}

static Question *new_question(Core *core, Py_ssize_t number)
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

static void done_with_question(Core *core, Question *question)
{
    empty_question(core, question);
    if (core->spare || question->frame_room > 4096)
        free_question(core, question);
    else
        core->spare = question;
}

/* How a question ends; `answer` may be its last memory. */
static int end_question(Run *run, Question *question, int status, u32 skill)
{
    Ending *ending = &run->endings[question->number];
    ending->status = status;
    ending->skill = skill;
    ending->calls = question->calls;
    ending->refusal = question->refusal;
    question->refusal = NULL;
    return ENDED;
}

static int end_with(Run *run, Question *question, int status, u32 skill, const Piece *pieces, u32 count, u32 length)
{
    u8 *letters = grab(run->core, length, NULL);
    if (!letters)
        return LACKS_MEMORY;
    copy_span(pieces, count, 0, length, letters);
    run->endings[question->number].answer = letters;
    run->endings[question->number].length = length;
    return end_question(run, question, status, skill);
}

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
    memcpy(question->pieces + frame->first, core->scratch, core->scratch_count * sizeof(Piece));
    question->top += core->scratch_count;
    core->scratch_count = 0;
    frame->length = after;
    frame->history = frame->following;
    return check_frame(run, question, frame);
}

/* Start a frame from a message that is on the work list, the second read from `middle` on. */
static int push_frame(Run *run, Question *question, const Skill *skill, u32 middle, u32 length)
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
    memcpy(to, core->scratch, middle * sizeof(Piece));
    to += middle;
    if (skill->between) {
        skill->between->users++;
        *to++ = (Piece){skill->between, 0, skill->between->used};
    }
    memcpy(to, core->scratch + middle, (count - middle) * sizeof(Piece));
    to += count - middle;
    core->scratch_count = 0;
    question->top = (u32)(to - question->pieces);
    Frame *frame = &question->frames[question->depth++];
    memset(frame, 0, sizeof(Frame));
    frame->skill = skill->number;
    frame->first = top;
    frame->length = frame->begun = length;
    frame->calls = question->calls;
    frame->refusals = question->refusals;
    return GOES_ON;
}

/* Whether the message on the work list is accepted; WAITS if Python has to say. */
static int is_accepted(Run *run, const Skill *skill, u32 middle, u32 length)
{
    Core *core = run->core;
    const Piece *second = core->scratch + middle;
    u32 count = core->scratch_count - middle;
    if (skill->x && skill->y)
        return accepts(core, skill->x, core->scratch, middle) && accepts(core, skill->y, second, count) ? GOES_ON : ENDED;
    if (widen(core, (void **)&core->message, &core->message_room, length + 1, 1, NULL) < 0)
        return LACKS_MEMORY;
    u32 x = 0;
    for (u32 i = 0; i < middle; i++)
        x += core->scratch[i].end - core->scratch[i].start;
    copy_span(core->scratch, middle, 0, x, core->message);
    core->message[x] = '|';
    copy_span(second, count, 0, length - x, core->message + x + 1);
    Known *known = find_known(core, skill->number, 0, core->message, length + 1);
    if (!known)
        return want(run, A_VERDICT, skill->number, 0, core->message, length + 1);
    return known->verdict ? GOES_ON : ENDED;
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
        Known *known = find_known(core, number, 1, core->message, x + y + 1);
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
    int verdict = is_accepted(run, skill, middle, x + y);
    if (verdict == ENDED)
        return refuse(run, question, number, spans);
    if (verdict != GOES_ON)
        return verdict;
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
    int result = push_frame(run, question, skill, middle, (u32)whole);
    if (result == GOES_ON)
        question->frames[question->depth - 1].draft = draft;
    else if (draft)
        give_back(draft, note_size(draft), &core->drafted);
    return result;
}

/* One decision of the frame on top, and what follows from it. */
static int step(Run *run, Question *question)
{
    Core *core = run->core;
    Frame *frame = &question->frames[question->depth - 1];
    const Skill *skill = skill_of(core, frame->skill);
    if (!skill)
        return end_question(run, question, REFUSED, frame->skill);
    const Piece *pieces = question->pieces + frame->first;
    u32 count = question->top - frame->first;
    if (look(core, skill, pieces, count, frame->length) < 0)
        return LACKS_MEMORY;
    const Decision *decision = find_decision(skill, frame->history, core->view, core->view_length);
    if (!decision)
        return want(run, A_DECISION, frame->skill, frame->history, core->view, core->view_length);
    if (!decision->module) {
        if (question->depth == 1)
            return end_with(run, question, ANSWERED, frame->skill, pieces, count, frame->length);
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
    u64 whole = (u64)(spans[1] - spans[0]) + (spans[3] - spans[2]);
    int result;
    if (!callee || (skill->own[decision->module] && whole + callee->layout_length >= frame->begun))
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
static int start_question(Run *run, Question *question)
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

/* --- many questions --- */

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
static int proceed(Run *run, int drain)
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

/* --- the Run type --- */

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

static int is_busy(Core *core)
{
    if (core->busy)
        PyErr_SetString(PyExc_RuntimeError, "this machine is at work in another thread");
    return core->busy;
}

static PyObject *list_wants(Run *run)
{
    PyObject *lists[3] = {PyList_New(0), PyList_New(0), PyList_New(0)};
    int failed = !lists[0] || !lists[1] || !lists[2];
    for (Want *w = run->first_want; w && !failed; w = w->later) {
        PyObject *item = w->kind == A_DECISION
                             ? Py_BuildValue("IIy#", w->skill, w->history, w->letters, (Py_ssize_t)w->length)
                             : Py_BuildValue("Iy#", w->skill, w->letters, (Py_ssize_t)w->length);
        failed = !item || PyList_Append(lists[w->kind], item) < 0;
        Py_XDECREF(item);
    }
    PyObject *result = failed ? NULL : PyTuple_Pack(3, lists[0], lists[1], lists[2]);
    for (int i = 0; i < 3; i++)
        Py_XDECREF(lists[i]);
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

static PyTypeObject RunType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "reckoner.machine._core.Run",
    .tp_doc = "Questions under way.",
    .tp_basicsize = sizeof(Run),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = (destructor)Run_dealloc,
    .tp_methods = run_methods,
    .tp_getset = run_fields,
};

/* --- the Core type --- */

static void automaton_free(Automaton *automaton)
{
    if (automaton) {
        PyMem_RawFree(automaton->following);
        PyMem_RawFree(automaton);
    }
}

static void clear_decisions(Core *core, Skill *skill, u32 keep)
{
    table_clear(&skill->decisions, release_plain);
    while (skill->history_count > keep)
        Py_DECREF(skill->histories[--skill->history_count].recollection);
    core->decided_bytes -= skill->decided_bytes;
    skill->decided_bytes = 0;
}

static void skill_free(Core *core, Skill *skill)
{
    if (!skill)
        return;
    clear_decisions(core, skill, 0);
    text_release(skill->before);
    text_release(skill->between);
    text_release(skill->after);
    automaton_free(skill->x);
    automaton_free(skill->y);
    PyMem_RawFree(skill->histories);
    PyMem_RawFree(skill->callees);
    PyMem_RawFree(skill->own);
    PyMem_RawFree(skill->digit_starts);
    PyMem_RawFree(skill->digit_tokens);
    PyMem_RawFree(skill);
}

static PyObject *Core_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const u8 *alphabet, *digits;
    Py_ssize_t letters, digit_count;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "y#y#", &alphabet, &letters, &digits, &digit_count))
        return NULL;
    if (letters > 64)
        return PyErr_Format(PyExc_ValueError, "an alphabet of more than 64 letters");
    Core *core = (Core *)type->tp_alloc(type, 0);
    if (!core)
        return NULL;
    memset(core->letter, NO_SKIP, sizeof(core->letter));
    for (Py_ssize_t i = 0; i < letters; i++)
        core->letter[alphabet[i]] = (u8)i;
    for (Py_ssize_t i = 0; i < digit_count; i++)
        core->is_digit[digits[i]] = 1;
    core->letters = (u32)letters;
    core->fuse = -1;
    core->skill_count = 1;
    core->skills = PyMem_RawCalloc(8, sizeof(Skill *));
    core->skill_room = 8;
    if (!core->skills) {
        Py_DECREF(core);
        return PyErr_NoMemory();
    }
    return (PyObject *)core;
}

static void Core_dealloc(Core *core)
{
    drop_scratch(core);
    if (core->spare)
        free_question(core, core->spare);
    for (u32 i = 0; core->skills && i < core->skill_count; i++)
        skill_free(core, core->skills[i]);
    table_clear(&core->known, release_known);
    table_clear(&core->old_known, release_known);
    PyMem_RawFree(core->skills);
    PyMem_RawFree(core->view);
    PyMem_RawFree(core->gaps);
    PyMem_RawFree(core->message);
    PyMem_RawFree(core->scratch);
    Py_TYPE(core)->tp_free((PyObject *)core);
}

static Automaton *automaton_new(Core *core, PyObject *tables)
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

/* Texts over other characters than the alphabet's would be outside of every table. */
static int are_letters(const Core *core, const char *letters, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (core->letter[(u8)letters[i]] == NO_SKIP) {
            PyErr_SetString(PyExc_ValueError, "a character that no memory holds");
            return 0;
        }
    return 1;
}

static int set_layout(Core *core, Skill *skill, Text **part, const char *letters, Py_ssize_t count)
{
    if (!count)
        return 0;
    *part = text_new(core, (u32)count, NULL);
    if (!*part || text_append(core, *part, (const u8 *)letters, (u32)count) < 0)
        return -1;
    (*part)->is_fixed = 1;
    skill->layout_length += (u32)count;
    return 0;
}

static int set_digits(Core *core, Skill *skill, PyObject *numbers)
{
    Py_ssize_t count = PyTuple_GET_SIZE(numbers), size = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        size += PyBytes_Check(PyTuple_GET_ITEM(numbers, i)) ? PyBytes_GET_SIZE(PyTuple_GET_ITEM(numbers, i)) : 0;
    skill->digit_starts = grab(core, (size_t)(count + 1) * sizeof(u32), NULL);
    skill->digit_tokens = grab(core, (size_t)size, NULL);
    if (!skill->digit_starts || !skill->digit_tokens) {
        PyErr_NoMemory();
        return -1;
    }
    u32 at = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *tokens = PyTuple_GET_ITEM(numbers, i);
        Py_ssize_t wanted = skill->fovea ? i : i > 0;
        if (!PyBytes_Check(tokens) || PyBytes_GET_SIZE(tokens) != wanted) {
            PyErr_SetString(PyExc_ValueError, "a number of n digits has n tokens");
            return -1;
        }
        skill->digit_starts[i] = at;
        memcpy(skill->digit_tokens + at, PyBytes_AS_STRING(tokens), (size_t)wanted);
        at += (u32)wanted;
    }
    if (count != 2 * skill->fovea + 2) {
        PyErr_SetString(PyExc_ValueError, "tokens for numbers of up to 2 fovea + 1 digits are needed");
        return -1;
    }
    return 0;
}

static int add_history(Core *core, Skill *skill, u32 depth, PyObject *recollection)
{
    if (widen(core, (void **)&skill->histories, &skill->history_room, skill->history_count + 1, sizeof(History), NULL) < 0)
        return -1;
    Py_INCREF(recollection);
    skill->histories[skill->history_count++] = (History){depth, recollection};
    return 0;
}

/* introduce(is_basic, before, between, after, x, y, sees_characters, fovea, reach, ids, numbers, root) -> number */
static PyObject *Core_introduce(Core *core, PyObject *arguments)
{
    int is_basic, sees_characters, fovea;
    long reach;
    const char *before, *between, *after, *ids;
    Py_ssize_t before_length, between_length, after_length, id_count;
    PyObject *x, *y, *numbers, *root;
    if (is_busy(core) ||
        !PyArg_ParseTuple(arguments, "py#y#y#OOpily#O!O", &is_basic, &before, &before_length, &between,
                          &between_length, &after, &after_length, &x, &y, &sees_characters, &fovea, &reach, &ids,
                          &id_count, &PyTuple_Type, &numbers, &root))
        return NULL;
    if (!are_letters(core, before, before_length) || !are_letters(core, between, between_length) ||
        !are_letters(core, after, after_length))
        return NULL;
    if (id_count != 256 || fovea < 0 || fovea > 1000)
        return PyErr_Format(PyExc_ValueError, "a perception that cannot be");
    Skill *skill = grab(core, sizeof(Skill), NULL);
    if (!skill)
        return PyErr_NoMemory();
    memset(skill, 0, sizeof(Skill));
    skill->is_basic = is_basic;
    skill->sees_characters = sees_characters;
    skill->fovea = fovea;
    skill->reach = reach;
    memcpy(skill->ids, ids, 256);
    if (set_digits(core, skill, numbers) < 0)
        goto failed;
    if (set_layout(core, skill, &skill->before, before, before_length) < 0 ||
        set_layout(core, skill, &skill->between, between, between_length) < 0 ||
        set_layout(core, skill, &skill->after, after, after_length) < 0 || add_history(core, skill, 0, root) < 0 ||
        widen(core, (void **)&core->skills, &core->skill_room, core->skill_count + 1, sizeof(Skill *), NULL) < 0) {
        PyErr_NoMemory();
        goto failed;
    }
    if (x != Py_None && !(skill->x = automaton_new(core, x)))
        goto failed;
    if (y != Py_None && !(skill->y = automaton_new(core, y)))
        goto failed;
    skill->number = core->skill_count;
    core->skills[core->skill_count++] = skill;
    return PyLong_FromUnsignedLong(skill->number);
failed:
    skill_free(core, skill);
    return NULL;
}

static Skill *need_skill(Core *core, unsigned long number)
{
    Skill *skill = number < core->skill_count ? core->skills[number] : NULL;
    if (!skill)
        PyErr_Format(PyExc_KeyError, "there is no skill number %lu", number);
    return skill;
}

static PyObject *Core_connect(Core *core, PyObject *arguments)
{
    unsigned int number;
    PyObject *callees, *own;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "IO!O!", &number, &PyList_Type, &callees, &PyList_Type, &own))
        return NULL;
    Skill *skill = need_skill(core, number);
    Py_ssize_t count = PyList_GET_SIZE(callees);
    if (!skill)
        return NULL;
    if (PyList_GET_SIZE(own) != count)
        return PyErr_Format(PyExc_ValueError, "lists of different lengths");
    u32 *numbers = grab(core, (size_t)(count + 1) * sizeof(u32), NULL);
    u8 *flags = grab(core, (size_t)(count + 1), NULL);
    if (!numbers || !flags) {
        PyMem_RawFree(numbers);
        PyMem_RawFree(flags);
        return PyErr_NoMemory();
    }
    numbers[0] = NOBODY;
    flags[0] = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        long callee = PyLong_AsLong(PyList_GET_ITEM(callees, i));
        numbers[i + 1] = callee < 0 ? NOBODY : (u32)callee;
        flags[i + 1] = (u8)PyObject_IsTrue(PyList_GET_ITEM(own, i));
    }
    PyMem_RawFree(skill->callees);
    PyMem_RawFree(skill->own);
    skill->callees = numbers;
    skill->own = flags;
    skill->modules = (u32)count;
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *Core_drop(Core *core, PyObject *argument)
{
    unsigned long number = PyLong_AsUnsignedLong(argument);
    if (PyErr_Occurred() || is_busy(core))
        return NULL;
    if (number < core->skill_count) {
        skill_free(core, core->skills[number]);
        core->skills[number] = NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *Core_recollection(Core *core, PyObject *arguments)
{
    unsigned int number, history;
    if (!PyArg_ParseTuple(arguments, "II", &number, &history))
        return NULL;
    Skill *skill = need_skill(core, number);
    if (!skill)
        return NULL;
    if (history >= skill->history_count)
        return PyErr_Format(PyExc_IndexError, "there is no history %u", history);
    return Py_NewRef(skill->histories[history].recollection);
}

/* learn(number, history, view, choice, recollection, size) */
static PyObject *Core_learn(Core *core, PyObject *arguments)
{
    unsigned int number, history, choice[7];
    const u8 *view;
    Py_ssize_t length;
    PyObject *recollection;
    Py_ssize_t size;
    if (is_busy(core) ||
        !PyArg_ParseTuple(arguments, "IIy#(IIIIIII)On", &number, &history, &view, &length, choice, choice + 1,
                          choice + 2, choice + 3, choice + 4, choice + 5, choice + 6, &recollection, &size))
        return NULL;
    Skill *skill = need_skill(core, number);
    if (!skill)
        return NULL;
    if (history >= skill->history_count)
        Py_RETURN_NONE; /* all was forgotten meanwhile */
    int is_sound = choice[0] <= skill->modules;
    for (int i = 1; i < 7; i++)
        is_sound = is_sound && (Py_ssize_t)choice[i] < length - 1;
    is_sound = is_sound && choice[1] <= choice[2] && choice[3] <= choice[4] && choice[5] <= choice[6];
    if (!is_sound)
        return PyErr_Format(PyExc_ValueError, "a decision that the view does not allow");
    if (find_decision(skill, history, view, (u32)length))
        Py_RETURN_NONE;
    size_t taken = sizeof(Decision) + (size_t)length + sizeof(History) + (size_t)size;
    Decision *made = grab(core, sizeof(Decision) + (size_t)length, NULL);
    if (!made)
        return PyErr_NoMemory();
    made->entry.hash = hash_of(view, (u32)length, history);
    made->history = history;
    made->module = choice[0];
    for (int i = 0; i < 6; i++)
        made->gaps[i] = choice[i + 1];
    made->following = skill->history_count;
    made->length = (u32)length;
    memcpy(made->view, view, (size_t)length);
    if (add_history(core, skill, skill->histories[history].depth + 1, recollection) < 0) {
        PyMem_RawFree(made);
        return PyErr_NoMemory();
    }
    if (table_add(core, &skill->decisions, &made->entry) < 0) {
        Py_DECREF(skill->histories[--skill->history_count].recollection);
        PyMem_RawFree(made);
        return PyErr_NoMemory();
    }
    core->decided_bytes += taken;
    skill->decided_bytes += taken;
    Py_RETURN_NONE;
}

static int remember(Core *core, u32 number, const u8 *message, u32 length, const char *answer, Py_ssize_t answer_length,
                    int verdict, size_t most)
{
    size_t size = sizeof(Known) + length + (answer ? sizeof(Text) + text_size((u32)answer_length) : 0);
    if (core->known_bytes + size > most / 2) {
        table_clear(&core->old_known, release_known);
        core->old_known = core->known;
        memset(&core->known, 0, sizeof(Table));
        core->known_bytes = 0;
    }
    Known *made = grab(core, sizeof(Known) + length, NULL);
    if (!made)
        return -1;
    made->entry.hash = hash_of(message, length, number);
    made->skill = number;
    made->verdict = verdict;
    made->answer = NULL;
    made->length = length;
    memcpy(made->message, message, length);
    if (answer) {
        made->answer = text_new(core, (u32)answer_length, &core->answer_bytes);
        if (!made->answer || text_append(core, made->answer, (const u8 *)answer, (u32)answer_length) < 0)
            goto failed;
        made->answer->is_fixed = 1;
    }
    if (table_add(core, &core->known, &made->entry) < 0)
        goto failed;
    core->known_bytes += size;
    return 0;
failed:
    release_known(&made->entry);
    return -1;
}

static PyObject *Core_know(Core *core, PyObject *arguments)
{
    unsigned int number;
    const u8 *message;
    const char *answer;
    Py_ssize_t length, answer_length, most;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "Iy#y#n", &number, &message, &length, &answer, &answer_length, &most))
        return NULL;
    if (!are_letters(core, answer, answer_length))
        return NULL;
    if (!find_known(core, number, 1, message, (u32)length) &&
        remember(core, number, message, (u32)length, answer, answer_length, -1, (size_t)most) < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *Core_judge(Core *core, PyObject *arguments)
{
    unsigned int number;
    const u8 *message;
    Py_ssize_t length, most;
    int verdict;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "Iy#pn", &number, &message, &length, &verdict, &most))
        return NULL;
    if (!find_known(core, number, 0, message, (u32)length) &&
        remember(core, number, message, (u32)length, NULL, 0, verdict, (size_t)most) < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *Core_forget(Core *core, PyObject *nothing)
{
    (void)nothing;
    if (is_busy(core))
        return NULL;
    core->generation++;
    for (u32 i = 0; i < core->skill_count; i++)
        if (core->skills[i])
            clear_decisions(core, core->skills[i], 1);
    table_clear(&core->known, release_known);
    table_clear(&core->old_known, release_known);
    core->known_bytes = 0;
    Py_RETURN_NONE;
}

/* start(number, messages, calls, depth, memory, steps, seconds, bytes) -> Run */
static PyObject *Core_start(Core *core, PyObject *arguments)
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

/* look_at(number, memory) -> tokens, gaps: for tests */
static PyObject *Core_look_at(Core *core, PyObject *arguments)
{
    unsigned int number;
    const u8 *memory;
    Py_ssize_t length, cut;
    if (is_busy(core) || !PyArg_ParseTuple(arguments, "Iy#n", &number, &memory, &length, &cut))
        return NULL;
    Skill *skill = need_skill(core, number);
    Text *text = skill ? text_new(core, (u32)length, NULL) : NULL;
    if (!skill)
        return NULL;
    if (!text || text_append(core, text, memory, (u32)length) < 0)
        return PyErr_NoMemory();
    Piece pieces[2] = {{text, 0, (u32)cut}, {text, (u32)cut, (u32)length}}; /* in two, for what crosses a border */
    PyObject *result = NULL;
    if (look(core, skill, pieces, 2, (u32)length) == 0) {
        PyObject *gaps = PyTuple_New(core->gap_count);
        for (u32 i = 0; gaps && i < core->gap_count; i++)
            PyTuple_SET_ITEM(gaps, i, PyLong_FromUnsignedLong(core->gaps[i]));
        if (gaps)
            result = Py_BuildValue("y#N", core->view, (Py_ssize_t)core->view_length, gaps);
    }
    text_release(text);
    return result;
}

static PyObject *Core_decided(Core *core, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(core->decided_bytes);
}

static PyObject *Core_held(Core *core, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(core->held);
}

static PyObject *Core_get_fuse(Core *core, void *closure)
{
    (void)closure;
    return PyLong_FromLong(core->fuse);
}

static int Core_set_fuse(Core *core, PyObject *value, void *closure)
{
    (void)closure;
    long fuse = value ? PyLong_AsLong(value) : -1;
    if (PyErr_Occurred())
        return -1;
    core->fuse = fuse;
    return 0;
}

static PyMethodDef core_methods[] = {
    {"introduce", (PyCFunction)Core_introduce, METH_VARARGS, "A new skill; returns its number."},
    {"connect", (PyCFunction)Core_connect, METH_VARARGS, "Who answers the module choices from 1 on; -1: nobody."},
    {"drop", (PyCFunction)Core_drop, METH_O, "Forget a skill."},
    {"recollection", (PyCFunction)Core_recollection, METH_VARARGS, "What the skill has seen in a history."},
    {"learn", (PyCFunction)Core_learn, METH_VARARGS, "Remember a decision."},
    {"know", (PyCFunction)Core_know, METH_VARARGS, "Remember a basic skill's answer."},
    {"judge", (PyCFunction)Core_judge, METH_VARARGS, "Remember whether a message is accepted."},
    {"forget", (PyCFunction)Core_forget, METH_NOARGS, "Forget everything but the skills."},
    {"start", (PyCFunction)Core_start, METH_VARARGS, "Start work on messages to one skill."},
    {"look_at", (PyCFunction)Core_look_at, METH_VARARGS, "The view of a memory, for tests."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef core_fields[] = {
    {"decided", (getter)Core_decided, NULL, "Bytes that decisions take.", NULL},
    {"held", (getter)Core_held, NULL, "Bytes of questions under way.", NULL},
    {"fuse", (getter)Core_get_fuse, (setter)Core_set_fuse, "So many allocations succeed; negative: all.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject CoreType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "reckoner.machine._core.Core",
    .tp_doc = "Skills by number, and what is remembered of them.",
    .tp_basicsize = sizeof(Core),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = Core_new,
    .tp_dealloc = (destructor)Core_dealloc,
    .tp_methods = core_methods,
    .tp_getset = core_fields,
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_core", "The core of the fast machine.", -1, NULL, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    if (PyType_Ready(&CoreType) < 0 || PyType_Ready(&RunType) < 0)
        return NULL;
    PyObject *made = PyModule_Create(&module);
    if (!made)
        return NULL;
    Py_INCREF(&CoreType);
    if (PyModule_AddObject(made, "Core", (PyObject *)&CoreType) < 0) {
        Py_DECREF(&CoreType);
        Py_DECREF(made);
        return NULL;
    }
    return made;
}

/* What the core is made of: texts, skills, questions, runs. */

#ifndef RECKONER_TYPES_H
#define RECKONER_TYPES_H

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
enum { A_DECISION, AN_ANSWER };                                                /* what can be wanted */

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
    Text *answer;
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
    int reads_decimals; /* a number with its sign and decimals is one symbol, and lengths count symbols */
    long reach; /* negative: all */
    u8 ids[256];
    u32 *digit_starts; /* where in digit_tokens the tokens of a number of so many digits begin */
    u8 *digit_tokens;
    Text *before, *between, *after; /* NULL: nothing */
    u32 layout_length;
    Automaton *x, *y; /* what is accepted */
    u32 modules;
    u32 most_calls; /* a frame that has made so many halts; 0: when it decides to */
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
    u32 begun;  /* how long its message was, as the skill measures it */
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

#endif

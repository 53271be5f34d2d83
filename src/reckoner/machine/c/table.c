/* Hash tables, and what is looked up in them. */

#include "core.h"

u64 hash_of(const u8 *letters, u32 count, u64 seed)
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

int table_add(Core *core, Table *table, Entry *entry)
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

void table_clear(Table *table, void (*release)(Entry *))
{
    for (size_t i = 0; i < table->room; i++)
        for (Entry *e = table->slots[i], *next; e; e = next) {
            next = e->next;
            release(e);
        }
    PyMem_RawFree(table->slots);
    memset(table, 0, sizeof(Table));
}

void release_plain(Entry *entry)
{
    PyMem_RawFree(entry);
}

void release_known(Entry *entry)
{
    text_release(((Known *)entry)->answer);
    PyMem_RawFree(entry);
}

Decision *find_decision(const Skill *skill, u32 history, const u8 *view, u32 length)
{
    u64 hash = hash_of(view, length, history);
    for (Entry *e = table_start(&skill->decisions, hash); e; e = e->next) {
        Decision *d = (Decision *)e;
        if (e->hash == hash && d->history == history && d->length == length && !memcmp(d->view, view, length))
            return d;
    }
    return NULL;
}

static Known *find_in(const Table *table, u64 hash, u32 skill, const u8 *message, u32 length)
{
    for (Entry *e = table_start(table, hash); e; e = e->next) {
        Known *k = (Known *)e;
        if (e->hash == hash && k->skill == skill && k->length == length &&
            !memcmp(k->message, message, length))
            return k;
    }
    return NULL;
}

Known *find_known(const Core *core, u32 skill, const u8 *message, u32 length)
{
    u64 hash = hash_of(message, length, skill);
    Known *found = find_in(&core->known, hash, skill, message, length);
    return found ? found : find_in(&core->old_known, hash, skill, message, length);
}

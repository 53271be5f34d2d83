/* Texts: only ever appended to; each knows where its characters are that are no digits. */

#include "core.h"

size_t text_size(u32 room)
{
    return (size_t)(room + 1) * sizeof(u32) + (size_t)room * sizeof(u32) + room;
}

Text *text_new(Core *core, u32 room, size_t *account)
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

void text_free(Text *text)
{
    size_t *account = text->account;
    while (text->endings) {
        Endings *endings = text->endings;
        text->endings = endings->next;
        give_back(endings, sizeof(Endings) + ((size_t)endings->end + 1) * sizeof(u64), account);
    }
    give_back(text->rank, text_size(text->room), account);
    give_back(text, sizeof(Text), account);
}

int text_append(Core *core, Text *text, const u8 *letters, u32 count)
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

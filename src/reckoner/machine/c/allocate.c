/* Memory: counted, and refused on request so that tests can try what happens then. */

#include "core.h"

void *grab(Core *core, size_t size, size_t *account)
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

void give_back(void *what, size_t size, size_t *account)
{
    if (what && account)
        *account -= size;
    PyMem_RawFree(what);
}

/* Make room for `wanted` items of some size; the array keeps what it holds. */
int make_wider(Core *core, void **array, u32 *room, u32 wanted, size_t item, size_t *account)
{
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

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

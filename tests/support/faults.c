/* Simulates a failing disk. Loaded before the C library, it makes the N-th write and all later writes fail to a library's
 * data file, to a file that will replace it, and to a backup of it.
 * ORIEL_FAULT_AT is N (from 1), ORIEL_FAULT_ERROR the errno. If ORIEL_FAULT_WHILE names a file, writes fail only while it
 * exists. If ORIEL_FAULT_COMMITS is set, only writes of the pages with which LMDB ends a commit fail: the first two, of
 * which it writes less than a page. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static long at;
static int error;
static const char *lasting;
static int commits;
static atomic_long writes;

__attribute__((constructor)) static void begin(void) {
    char line[4096] = {0};
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file) fclose(file);
    for (size_t byte = 0; byte < length; byte++)
        if (!line[byte]) line[byte] = ' ';
    /* The sandboxed extractor process can open no file, and writes none. */
    if (strstr(line, " worker ")) return;
    at = getenv("ORIEL_FAULT_AT") ? atol(getenv("ORIEL_FAULT_AT")) : 0;
    lasting = getenv("ORIEL_FAULT_WHILE");
    commits = getenv("ORIEL_FAULT_COMMITS") != NULL;
    error = getenv("ORIEL_FAULT_ERROR") ? atoi(getenv("ORIEL_FAULT_ERROR")) : EIO;
}

static int fails(int fd, int ends_commit) {
    if (!at || (commits && !ends_commit)) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    if (!name) return 0;
    int is_data = !strcmp(name, "/data.mdb") || !strcmp(name, "/data.mdb.compacted");
    if (!is_data && !strstr(name, ".writing-") && !strstr(path, ".restoring-")) return 0;
    if (lasting && access(lasting, F_OK) != 0) return 0;
    if (atomic_fetch_add(&writes, 1) + 1 < at) return 0;
    errno = error;
    return 1;
}

static int ends(size_t size, off_t to) { return size < 4096 && to < 2 * 4096; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) { return fails(fd, 0) ? -1 : REAL(write)(fd, data, size); }
ssize_t writev(int fd, const struct iovec *data, int count) { return fails(fd, 0) ? -1 : REAL(writev)(fd, data, count); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t to) {
    return fails(fd, ends(size, to)) ? -1 : REAL(pwrite)(fd, data, size, to);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t to) {
    return fails(fd, ends(size, to)) ? -1 : REAL(pwrite64)(fd, data, size, to);
}
ssize_t pwritev(int fd, const struct iovec *data, int count, off_t to) {
    return fails(fd, 0) ? -1 : REAL(pwritev)(fd, data, count, to);
}
ssize_t pwritev64(int fd, const struct iovec *data, int count, off64_t to) {
    return fails(fd, 0) ? -1 : REAL(pwritev64)(fd, data, count, to);
}
int fsync(int fd) { return fails(fd, 0) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd, 0) ? -1 : REAL(fdatasync)(fd); }

/* Probes Syzygy files by Fathom, for `cargo xtask bench probes --fathom`. Fathom's sources are not part of this project. With them
 * in the folder Fathom:
 *
 *     cc -O3 -march=native -I Fathom/src xtask/bench/fathom.c -o fathom
 *
 * The argument is the folder of the files. Each line of the input is a position: the bitboards of White, Black, kings, queens, rooks,
 * bishops, knights and pawns in hexadecimal, and 1 if White is to move, else 0. The output is the seconds of all WDL probes, those of
 * all DTZ probes, then WDL (-2 to 2) and DTZ of each position. */

/* Its source, not its header: probe_wdl and probe_dtz are not public. tb_probe_wdl calls the first. */
#include "tbprobe.c"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum { MOST = 1 << 20 };

static Pos positions[MOST];
static int answers[2][MOST];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The seconds of all probes. */
static double probe_all(int (*probe)(Pos *, int *), int *answer, int count) {
    int success = 1;
    double start = now();
    for (int i = 0; i < count; i++) {
        answer[i] = probe(&positions[i], &success);
        if (!success) {
            fprintf(stderr, "no answer for position %d\n", i + 1);
            exit(1);
        }
    }
    return now() - start;
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 2 || !tb_init(arguments[1]) || TB_LARGEST < 3) {
        fprintf(stderr, "expected a folder of Syzygy files\n");
        return 1;
    }
    int count = 0;
    char line[256];
    for (; fgets(line, sizeof line, stdin); count++) {
        Pos *at = &positions[count];
        int turn;
        if (count == MOST ||
            sscanf(line, "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%d", &at->white,
                   &at->black, &at->kings, &at->queens, &at->rooks, &at->bishops, &at->knights, &at->pawns, &turn) != 9) {
            fprintf(stderr, "line %d is not a position, or one too many\n", count + 1);
            return 1;
        }
        at->turn = turn != 0;
    }
    /* Fathom opens a file when it first needs it: the second time no file is opened. */
    double wdl = 0, dtz = 0;
    for (int time = 0; time < 2; time++) {
        wdl = probe_all(probe_wdl, answers[0], count);
        dtz = probe_all(probe_dtz, answers[1], count);
    }
    printf("%.9f %.9f\n", wdl, dtz);
    for (int i = 0; i < count; i++) printf("%d %d\n", answers[0][i], answers[1][i]);
    return 0;
}

/* The work of deals.py in C: what the compiled kernel is measured against.

   Written from scopa_net/rules/kernel.py, points.py and deals.py, function by
   function and with their layout of a state. Rules are read at run time, as there; the
   cards of a rank are shifted into place, which is faster here than tables.
   `run` answers -1 for rules whose rare functions are not here (odd captures, odd
   points, declarations, claims, wild cards). Figures are compared by
   tests/benchmarks/kernel.py, which builds this with gcc -O3 -march=native. */

#include <stdint.h>

typedef int64_t i64;

enum { TABLE, STOCK, TURN, LAST, LEFT, FIRST, LAID, SHOWN, SWEEPS,
       HAND = 14, PILE = 20, EXTRA = 26, DECK = 32, POINTS = 72, TOTAL = 78,
       WON = 84, SIZE = 85, CARDS = 40 };
enum { RANDOM, CARD, GREEDY };

#define ALL ((1LL << 40) - 1)
#define DENARI 0x1111111111LL
#define SEVENS (15LL << 24)
#define SIXES (15LL << 20)
#define ACES 15LL
#define SETTEBELLO (1LL << 24)
#define LOW32 0xFFFFFFFFLL

/* The fields of Rules, in their order. */
typedef struct {
    i64 players, sides, hand, table, draw, by_value, by_fifteen, equal_first, fewest,
        max_captured, compulsion, ace, ace_table, ace_scopa, ace_empty, ace_first,
        ace_decline, last_scopa, leftovers, bonus, bonus_to, wild, declare,
        redeal_kings, redeal_aces, p_cards, p_coins, p_scopa, prime, more_suits, faces,
        majority, worth1, worth2, worth3, run_cap, grande, sevens_bonus, double_all,
        win_all, odd_moves, odd_score;
} Rules;

static inline int bits(i64 set) { return __builtin_popcountll((uint64_t)set); }
static inline int length(i64 n) { return n ? 64 - __builtin_clzll((uint64_t)n) : 0; }

/* ---- chance */

static inline i64 spin(i64 x) { return 698769069LL * (x & LOW32) + (x >> 32); }
static inline i64 below(i64 x, i64 n) { return ((x & LOW32) * n) >> 32; }

/* ---- plays */

static inline i64 captures(i64 table, i64 target, i64 code, i64 *out, i64 n)
{
    i64 chosen = 0, rest = table, need = target;
    for (;;) {
        i64 low = rest & ((1LL << ((need >> 1) << 2)) - 1);
        if (low) {
            i64 bit = low & -low;
            chosen |= bit;
            need -= (length(bit) + 3) >> 2;
            rest = table & -(bit << 1);
            continue;
        }
        i64 last = rest & (15LL << ((need - 1) << 2));
        while (last) {
            i64 bit = last & -last;
            last ^= bit;
            out[n++] = code | chosen | bit;
        }
        if (chosen == 0)
            return n;
        int top = length(chosen);
        chosen ^= 1LL << (top - 1);
        need += (top + 3) >> 2;
        rest = table & -(1LL << top);
    }
}

static inline i64 ordinary(const Rules *r, i64 table, i64 c, i64 *out, i64 n)
{
    i64 code = c << 40, rank = (c >> 2) + 1;
    if (r->by_value) {
        i64 equal = table & (15LL << (c & ~3LL));
        if (equal && r->equal_first) {
            while (equal) {
                i64 bit = equal & -equal;
                equal ^= bit;
                out[n++] = code | bit;
            }
        } else
            n = captures(table, rank, code, out, n);
    }
    if (r->by_fifteen)
        n = captures(table, 15 - rank, code, out, n);
    return n;
}

static inline i64 plays_of(const Rules *r, i64 table, i64 c, i64 *out, i64 n)
{
    i64 start = n;
    n = ordinary(r, table, c, out, n);
    if (n == start)
        out[n++] = c << 40;
    return n;
}

static inline i64 legal_plays(const Rules *r, const i64 *s, i64 *out)
{
    i64 table = s[TABLE], hand = s[HAND + s[TURN]], n = 0;
    while (hand) {
        i64 bit = hand & -hand;
        hand ^= bit;
        n = plays_of(r, table, length(bit) - 1, out, n);
    }
    return n;
}

/* ---- the deal */

static void draw_one(i64 *s, i64 seat)
{
    i64 card = s[DECK + CARDS - s[STOCK]];
    if (card >= 0)
        s[HAND + seat] |= 1LL << card;
    s[STOCK] -= 1;
}

static inline void deal_hands(const Rules *r, i64 *s)
{
    i64 at = DECK + CARDS - s[STOCK], seat = s[FIRST];
    for (i64 dealt = 0; dealt < r->players; dealt++) {
        i64 hand = 0;
        for (i64 i = at; i < at + r->hand; i++)
            if (s[i] >= 0)
                hand |= 1LL << s[i];
        s[HAND + seat] = hand;
        at += r->hand;
        if (++seat == r->players)
            seat = 0;
    }
    s[STOCK] -= r->players * r->hand;
}

static i64 before(const Rules *r, i64 seat) { return (seat + r->players - 1) % r->players; }

static void finish(const Rules *r, i64 *s)
{
    i64 side = -1;
    if (r->leftovers == 0)
        side = s[LAST];
    else if (r->leftovers == 1)
        side = before(r, s[FIRST]) % r->sides;
    if (side >= 0) {
        s[PILE + side] |= s[TABLE];
        s[TABLE] = 0;
    }
}

static inline void apply(const Rules *r, i64 *s, i64 a)
{
    i64 code = a >> 40, taken = a & ALL;
    i64 seat = s[TURN], bit = 1LL << code, left = s[LEFT] - 1;
    s[LEFT] = left;
    s[HAND + seat] &= ~bit;
    if (taken) {
        i64 side = seat % r->sides, table = s[TABLE] & ~taken;
        s[TABLE] = table;
        s[PILE + side] |= taken | bit;
        s[LAST] = side;
        if (table == 0 && (left || r->last_scopa))
            s[SWEEPS + side] += 1;
    } else
        s[TABLE] |= bit;
    seat += 1;
    s[TURN] = seat < r->players ? seat : 0;
    i64 stock = s[STOCK];
    if (stock) {
        if (r->draw == 1)
            draw_one(s, seat - 1);
        else if (r->draw == 2) {
            if (s[TURN] == s[FIRST])
                for (i64 i = 0; i < r->players; i++)
                    draw_one(s, (s[FIRST] + i) % r->players);
        } else if (left == stock)
            deal_hands(r, s);
    } else if (left == 0)
        finish(r, s);
}

static void settle_table(const Rules *r, i64 *s)
{
    i64 total = 0, scope = 0;
    for (i64 i = 0; i < 4; i++)
        total += (s[DECK + i] >> 2) + 1;
    if (total == 15)
        scope = 1;
    else if ((total == 20 && r->bonus == 3) || (total == 30 && r->bonus == 2))
        scope = 2;
    if (scope) {
        i64 side = (r->bonus_to ? s[FIRST] : before(r, s[FIRST])) % r->sides;
        s[SWEEPS + side] += scope;
        s[PILE + side] |= s[TABLE];
        s[TABLE] = 0;
        s[LAST] = side;
    }
}

static void new_deal(const Rules *r, i64 *s, i64 first)
{
    for (i64 i = 0; i < DECK; i++)
        s[i] = 0;
    for (i64 i = POINTS; i < SIZE; i++)
        s[i] = 0;
    s[TURN] = s[FIRST] = first;
    s[LAST] = s[LAID] = -1;
    s[LEFT] = s[STOCK] = CARDS - r->table;
    i64 table = 0;
    for (i64 i = DECK; i < DECK + r->table; i++)
        if (s[i] >= 0)
            table |= 1LL << s[i];
    s[TABLE] = table;
    deal_hands(r, s);
    if (r->bonus && r->table == 4)
        settle_table(r, s);
}

/* ---- points */

static int suits(i64 pile)
{
    i64 present = pile | pile >> 20;
    present |= present >> 8 | present >> 16;
    return bits((present | present >> 4) & 15);
}

static i64 primiera(const Rules *r, i64 pile)
{
    static const int shifts[7] = {24, 20, 0, 16, 12, 8, 4};
    static const int worths[7] = {21, 18, 16, 15, 14, 13, 12};
    i64 need = 15, total = 0;
    for (int i = 0; i < 7; i++) {
        i64 got = pile >> shifts[i] & need;
        if (got) {
            total += bits(got) * worths[i];
            need ^= got;
            if (need == 0)
                return total;
        }
    }
    if (r->faces == 2)
        return total;
    for (int rank = 10; rank > 7; rank--) {
        i64 got = pile >> ((rank - 1) << 2) & need;
        total += bits(got) * (r->faces ? rank : 10);
        need ^= got;
    }
    return total;
}

static i64 prime_reading(const Rules *r, i64 pile)
{
    if (r->prime != 1)
        return bits(pile & SEVENS);
    i64 present = suits(pile);
    if (present < 4 && r->more_suits == 0)
        return 0;
    return present << 7 | primiera(r, pile);
}

static i64 majority_winner(const Rules *r, const i64 *s, i64 among, i64 half)
{
    i64 best = r->majority ? half : 0, winner = -1;
    for (i64 side = 0; side < r->sides; side++) {
        i64 count = bits(s[PILE + side] & among);
        if (count > best) {
            best = count;
            winner = side;
        } else if (count == best)
            winner = -1;
    }
    return winner;
}

static i64 prime_winner(const Rules *r, const i64 *s)
{
    i64 best = 0, winner = -1;
    for (i64 side = 0; side < r->sides; side++) {
        i64 reading = prime_reading(r, s[PILE + side]);
        if (reading > best) {
            best = reading;
            winner = side;
        } else if (reading == best)
            winner = -1;
    }
    return winner;
}

static void score(const Rules *r, i64 *s)
{
    for (i64 side = 0; side < r->sides; side++)
        s[POINTS + side] = bits(s[PILE + side] & r->worth1);
    i64 winner = majority_winner(r, s, ALL, 20);
    if (winner >= 0)
        s[POINTS + winner] += r->p_cards;
    winner = majority_winner(r, s, DENARI, 5);
    if (winner >= 0)
        s[POINTS + winner] += r->p_coins;
    if (r->prime) {
        winner = prime_winner(r, s);
        if (winner >= 0)
            s[POINTS + winner] += 1;
    }
    for (i64 side = 0; side < r->sides; side++)
        s[TOTAL + side] = s[POINTS + side] + s[SWEEPS + side] * r->p_scopa;
}

/* ---- playouts */

static inline i64 merit(i64 table, i64 a)
{
    i64 taken = a & ALL, cards = taken | 1LL << (a >> 40);
    i64 worth = 8 * bits(cards) + 25 * bits(cards & DENARI) + 31 * bits(cards & SEVENS) +
                10 * bits(cards & SIXES) + 3 * bits(cards & ACES);
    if (cards & SETTEBELLO)
        worth += 95;
    if (taken == 0)
        return -worth;
    return taken == table ? worth + 100 : worth;
}

static inline i64 best(const i64 *s, const i64 *out, i64 n)
{
    i64 chosen = out[0];
    if (n == 1)
        return chosen;
    i64 most = merit(s[TABLE], chosen);
    for (i64 i = 1; i < n; i++) {
        i64 worth = merit(s[TABLE], out[i]);
        if (worth > most) {
            most = worth;
            chosen = out[i];
        }
    }
    return chosen;
}

static inline i64 any_card(const Rules *r, const i64 *s, i64 *out, i64 x)
{
    i64 hand = s[HAND + s[TURN]];
    i64 draw = (x & LOW32) * bits(hand);
    for (i64 i = draw >> 32; i > 0; i--)
        hand &= hand - 1;
    i64 n = plays_of(r, s[TABLE], length(hand & -hand) - 1, out, 0);
    return out[below(draw, n)];
}

static i64 playout(const Rules *r, i64 *s, i64 *out, i64 x, i64 policy)
{
    while (s[LEFT]) {
        i64 a;
        x = spin(x);
        if (policy == CARD)
            a = any_card(r, s, out, x);
        else {
            i64 n = legal_plays(r, s, out);
            a = policy == GREEDY ? best(s, out, n) : out[below(x, n)];
        }
        apply(r, s, a);
    }
    return x;
}

static i64 shuffled(i64 *s, i64 x)
{
    for (i64 n = CARDS; n > 1; n--) {
        x = spin(x);
        i64 at = DECK + below(x, n), last = DECK + n - 1, card = s[last];
        s[last] = s[at];
        s[at] = card;
    }
    return x;
}

i64 run(const Rules *r, i64 x, i64 count, i64 policy)
{
    static i64 out[16384];
    i64 s[SIZE], total = 0;
    if (r->odd_moves || r->odd_score || r->compulsion || r->declare || r->wild ||
        r->bonus > 3 || r->prime > 2)
        return -1;
    for (i64 i = 0; i < CARDS; i++)
        s[DECK + i] = i;
    for (i64 i = 0; i < count; i++) {
        x = shuffled(s, x);
        new_deal(r, s, i % r->players);
        x = playout(r, s, out, x, policy);
        score(r, s);
        total = (total * 1000003 + s[LEFT]) & ALL;
        for (i64 side = 0; side < r->sides; side++) {
            total = (total * 1000003 + s[PILE + side]) & ALL;
            total = (total * 1000003 + (s[SWEEPS + side] << 8) + s[TOTAL + side]) & ALL;
        }
    }
    return total;
}

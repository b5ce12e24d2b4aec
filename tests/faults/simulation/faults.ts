import type { Random } from '../fault-random.ts';
import type { QueueFaults } from './queue-double.ts';
import type { Sabotage } from './scheduler.ts';
import type { Cut } from './statements.ts';
import { isStoreWrite } from './store-calls.ts';

/** Chances of faults at each step, until all of them end. */
export type FaultPlan = {
  sabotage: Sabotage;
  cutOf(): Cut;
  callChance(): number;
  queueFaults(): QueueFaults;
  /** Changes that a merchant makes. */
  edits: number;
  deletions: number;
  /** How the merchant follows a write: a change in each `every` of so many steps, a `share` of them of its product. */
  follow: { steps: number; every: number; share: number };
  /** The merchant changes nothing but once after each write. */
  isPatient: boolean;
  end(): void;
};

/** With more kills and cut connections, and some freezes, a chunk is given up after ten lost claims. */
const lossesMax = 6;
/** A worker that is frozen while it begins to send a product calls the store when others may think that it is dead. */
const beginsSending = 'with allowed as (';
const calm: QueueFaults = { lose: 0, repeat: 0, reorder: 0, refuse: 0 };

/**
 * The faults of a seed. Each kind is absent in some seeds and frequent in others: faults that always come together hide
 * what each of them does. `isCalm`: there are none.
 */
export function planFaults(random: Random, isCalm: boolean): FaultPlan {
  return isCalm || random.between(0, 4) >= 1 ? planAll(random, isCalm) : planAtWrites(random);
}

/** Workers die only at their writes, and the merchant changes what they write: what is tried again and again. */
function planAtWrites(random: Random): FaultPlan {
  const chance = random.pick([0.3, 0.6]);
  let isOver = false;
  let kills = 0;
  return {
    sabotage({ kind, name }) {
      if (isOver || kind !== 'call' || !isStoreWrite(name) || random.between(0, 1) >= chance)
        return undefined;
      kills += 1;
      return kills > lossesMax ? undefined : random.pick(['kill before', 'kill after'] as const);
    },
    cutOf: () => undefined,
    callChance: () => 0,
    queueFaults: () => calm,
    ...{ edits: 8, deletions: 0, follow: { steps: 100, every: 3, share: 0.9 }, isPatient: true },
    end() {
      isOver = true;
    },
  };
}

function planAll(random: Random, isCalm: boolean): FaultPlan {
  const level = (...chances: number[]) => random.pick([0, ...chances]);
  const [kill, freeze, call] = [level(0.004, 0.02), level(0.003, 0.01), level(0.1, 0.4)];
  const late = level(0.1, 0.4);
  // What is tried again and again goes wrong where each attempt ends at its write.
  const killAtWrite = level(0.1, 0.3);
  const cut = level(0.004, 0.02);
  const queue = { lose: level(0.3), repeat: level(0.2, 0.6), reorder: level(0.5), refuse: level(0.1) };
  let isOver = isCalm;
  let losses = 0;
  const strikes = (chance: number) => !isOver && random.between(0, 1) < chance;
  return {
    sabotage({ kind, name }) {
      const isWrite = kind === 'call' && isStoreWrite(name);
      if (strikes(isWrite ? Math.max(kill, killAtWrite) : kill) && losses < lossesMax) {
        losses += 1;
        return random.pick(['kill before', 'kill after'] as const);
      }
      if (kind === 'statement' && name.startsWith(beginsSending) && strikes(late)) return 'freeze';
      return strikes(freeze) ? 'freeze' : undefined;
    },
    cutOf() {
      if (!strikes(cut) || losses === lossesMax) return undefined;
      losses += 1;
      return random.pick(['before', 'after'] as const);
    },
    callChance: () => (isOver ? 0 : call),
    queueFaults: () => (isOver ? calm : queue),
    edits: isCalm ? 0 : random.pick([0, 1, 3, 8]),
    deletions: isCalm ? 0 : random.pick([0, 0, 1]),
    ...{ follow: { steps: random.pick([0, 100]), every: 10, share: 0.5 }, isPatient: false },
    end() {
      isOver = true;
    },
  };
}

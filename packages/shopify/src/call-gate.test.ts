import { describe, expect, test } from 'vitest';
import { createCallGate } from './call-gate.ts';
import type { Budget } from './client.ts';

const budget: Budget = { reserve: async (points) => ({ points }), report: async () => {} };
const never = new AbortController().signal;
const report = (restoreRate: number, currentlyAvailable: number) => ({
  restoreRate,
  currentlyAvailable,
  maximumAvailable: restoreRate * 20,
});

/** A gate that has learned the store's rate and latency. */
async function gateOf(restoreRate: number, available: number, latencyMs: number) {
  const gate = createCallGate(budget);
  await gate.budget.report(report(restoreRate, available), { points: 14 });
  for (let answers = 0; answers < 50; answers += 1) {
    const turn = await gate.enter('a', never);
    turn.answered(latencyMs);
    turn.end();
  }
  return gate;
}

describe('calls in flight', () => {
  test.each([
    ['Standard, empty bucket', 100, 0, 300, 5],
    ['Standard, full bucket', 100, 2000, 300, 13],
    ['Enterprise, empty bucket', 2000, 0, 300, 45],
    ['Enterprise, empty bucket, slow', 2000, 0, 1000, 145],
    ['Enterprise, full bucket, slow', 2000, 40_000, 1000, 160],
    ['a store that answers at once', 100, 0, 0, 3],
  ])('%s', async (_, restoreRate, available, latencyMs, turns) => {
    expect((await gateOf(restoreRate, available, latencyMs)).turnsMax()).toBe(turns);
  });
});

describe('turns', () => {
  test('are in order within an import, and the imports alternate', async () => {
    const gate = await gateOf(100, 0, 0);
    const order: string[] = [];
    const held = await Promise.all(Array.from({ length: gate.turnsMax() }, () => gate.enter('large', never)));
    const work = async (group: string, name: string) => {
      const turn = await gate.enter(group, never);
      order.push(name);
      turn.end();
    };
    const waiting = [1, 2, 3, 4].map((nth) => work('large', `large ${nth}`));
    expect(['large', 'small'].map(gate.isIdle)).toEqual([false, true]);
    const small = [1, 2].map((nth) => work('small', `small ${nth}`));
    expect(gate.isIdle('small')).toBe(false);
    for (const turn of held) turn.end();
    await Promise.all([...waiting, ...small]);
    expect(order.indexOf('small 2')).toBeLessThan(order.indexOf('large 4'));
    expect(order.filter((name) => name.startsWith('large'))).toEqual([
      'large 1',
      'large 2',
      'large 3',
      'large 4',
    ]);
    expect(['large', 'small'].map(gate.isIdle)).toEqual([true, true]);
  });

  test('are not given to an import that has been paused', async () => {
    const gate = await gateOf(100, 0, 0);
    const held = await Promise.all(Array.from({ length: gate.turnsMax() }, () => gate.enter('a', never)));
    const pausing = new AbortController();
    const waits = gate.enter('a', pausing.signal);
    pausing.abort(new Error('paused'));
    await expect(waits).rejects.toThrow('paused');
    for (const turn of held) turn.end();
    expect(gate.isIdle('a')).toBe(true);
    await expect(gate.enter('a', pausing.signal)).rejects.toThrow('paused');
  });
});

import { type AdmittedCall, admitSingleCall, updateSourceByReply } from '@draftshelf/core/enrich/admit-calls';
import { countAiUse, endAiCall, findReachedLimit, insertAiCall } from '@draftshelf/core/enrich/ai/ai-calls';
import { changeAiService, lockAiService } from '@draftshelf/core/enrich/ai/service';
import { registerSources } from '@draftshelf/core/enrich/sources';
import { seededRandom } from '@draftshelf/csv/testing/random';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();

const source = 'open-products-facts';
const baseUrl = 'http://source.example';
const answerMsMax = 10_000;
const minuteMs = 60_000;
const limits = { inMinute: 4, inTenMinutes: 15 };
const tenMinutesMs = 10 * minuteMs;

/** The most calls within any window of this length. */
function mostWithin(arrivals: readonly number[], windowMs: number): number {
  const sorted = arrivals.toSorted((a, b) => a - b);
  return Math.max(
    0,
    ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + windowMs).length),
  );
}

/** A service in the test: admits a call, or refuses it. `arrive`: the service has answered. */
type Service = { name: string; admit(): Promise<{ arrive(): Promise<unknown> } | null> };

const sourceService = (): Service => {
  const { db } = fixture.database;
  let gtin = 0;
  return {
    name: source,
    async admit() {
      gtin += 1;
      const admitted = await admitSingleCall(db, { source, baseUrl, gtin: `gtin ${gtin}`, answerMsMax });
      if (admitted.kind !== 'call') return null;
      const call: AdmittedCall = admitted.call;
      return { arrive: () => updateSourceByReply(db, source, call, { reply: { kind: 'miss' }, left: null }) };
    },
  };
};

const aiService = (): Service => {
  const { db } = fixture.database;
  const reserved = { in: 10, out: 10 };
  return {
    name: 'AI',
    admit: () =>
      db.transaction().execute(async (trx) => {
        const service = await lockAiService(trx);
        if (findReachedLimit(service, await countAiUse(trx, null), reserved) !== null) return null;
        const id = await insertAiCall(trx, service, { importId: null, products: 1, reserved });
        return { arrive: () => endAiCall(db, service, id, { outcome: 'ok', used: reserved }) };
      }),
  };
};

/** Moves all stored times back: so much time has passed. */
async function pass(ms: number): Promise<void> {
  const back = (column: string) => `${column} = ${column} - ${ms} * interval '1 millisecond'`;
  await fixture.database.pool.query(`
    update sources set ${back('blocked_until')}, ${back('admitted_at')};
    update ai_service set ${back('blocked_until')}, ${back('admitted_at')};
    update source_calls set ${back('counts_from')};
    update ai_calls set ${back('counts_from')}`);
}

it.each(isLong ? [1, 2, 3] : [1])(
  'services never get more calls in any window than their limits, seed %i',
  async (seed) => {
    const { db, pool } = fixture.database;
    await pool.query('truncate sources, lookups, source_calls, ai_calls cascade');
    await registerSources(db, [
      {
        ...{ name: source, base_url: baseUrl, enabled: true, simulated: false },
        ...{
          per_window: limits.inMinute,
          window_ms: minuteMs,
          per_day: limits.inTenMinutes,
          day_ms: tenMinutesMs,
        },
      },
    ]);
    await changeAiService(db, {
      ...{ requests_per_minute: limits.inMinute, parallel: 100, timeout_ms: answerMsMax },
      ...{ tokens_per_day: 1_000_000, cost_per_day: null },
    });
    const random = seededRandom(seed);
    const services = [sourceService(), aiService()].map((service) => ({
      ...service,
      arrivals: [] as number[],
    }));
    /** Calls under way, by the time at which they arrive. */
    const open: { at: number; arrivals: number[]; arrive: () => Promise<unknown> }[] = [];
    const begunMs = performance.now();
    let passedMs = 0;
    const now = () => passedMs + performance.now() - begunMs;
    const passUntil = async (at: number) => {
      const ms = Math.max(0, Math.round(at - now()));
      await pass(ms);
      passedMs += ms;
    };
    let refused = 0;
    for (let step = 0; step < (isLong ? 150 : 90); step += 1) {
      for (const service of services) {
        const tries = 1 + random(8);
        const calls = await Promise.all(Array.from({ length: tries }, () => service.admit()));
        for (const call of calls) {
          if (call === null) {
            refused += 1;
            continue;
          }
          // Nearly as late as it may be. Of every fourth the worker is killed: nobody reports its arrival.
          const at = now() + random(answerMsMax - 500);
          const arrive = random(4) === 0 ? async () => {} : call.arrive;
          open.push({ at, arrivals: service.arrivals, arrive });
        }
      }
      const next = now() + random(30_000);
      for (const call of open.toSorted((a, b) => a.at - b.at).filter(({ at }) => at <= next)) {
        open.splice(open.indexOf(call), 1);
        await passUntil(call.at);
        call.arrivals.push(call.at);
        await call.arrive();
      }
      await passUntil(next);
    }
    expect(refused).toBeGreaterThan(20);
    for (const { name, arrivals } of services) {
      expect(arrivals.length, name).toBeGreaterThan(20);
      expect(mostWithin(arrivals, minuteMs), name).toBeLessThanOrEqual(limits.inMinute);
    }
    expect(mostWithin(services[0]?.arrivals ?? [], tenMinutesMs)).toBeLessThanOrEqual(limits.inTenMinutes);
  },
);

import { createRequire, syncBuiltinESMExports } from 'node:module';
import { currentActor } from './actor.ts';
import type { Scheduler } from './scheduler.ts';

type Fire = (...given: unknown[]) => void;

/** A timer of an actor, as far as its code uses one. */
class SimulatedTimer {
  readonly cancel: () => void;

  constructor(cancel: () => void) {
    this.cancel = cancel;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  hasRef() {
    return true;
  }
}

/**
 * Gives code of actors the scheduler's clock and timers: Date, performance.now, setTimeout, setInterval, those of
 * node:timers/promises and AbortSignal.timeout. All other code keeps the real ones. Returns how to take them back.
 */
export function simulateClock(scheduler: Scheduler): () => void {
  const promises = createRequire(import.meta.url)('node:timers/promises');
  const real = {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    pause: promises.setTimeout,
    timeout: AbortSignal.timeout,
  };
  const addTimer = (isRepeated: boolean) =>
    function add(fire: Fire, ms = 0, ...given: unknown[]) {
      const actor = currentActor();
      const set = isRepeated ? real.setInterval : real.setTimeout;
      if (!actor) return set(fire, ms, ...given);
      return new SimulatedTimer(scheduler.addTimer(actor, ms, () => fire(...given), isRepeated ? ms : null));
    };
  const clear = (realClear: typeof clearTimeout) => (timer?: unknown) =>
    timer instanceof SimulatedTimer ? timer.cancel() : realClear(timer as NodeJS.Timeout);
  const pause = (ms: number, value?: unknown, options?: { signal?: AbortSignal }) => {
    const actor = currentActor();
    if (!actor) return real.pause(ms, value, options);
    return new Promise((resolve, reject) => {
      const cancel = scheduler.addTimer(actor, ms, () => resolve(value));
      options?.signal?.addEventListener('abort', () => {
        cancel();
        reject(options.signal?.reason);
      });
    });
  };
  const timeout = (ms: number) => {
    const actor = currentActor();
    if (!actor) return real.timeout(ms);
    const controller = new AbortController();
    const expire = () => controller.abort(new DOMException('The time is up', 'TimeoutError'));
    scheduler.addTimer(actor, ms, expire);
    return controller.signal;
  };
  const now = () => (currentActor() ? scheduler.now() : real.Date.now());
  Object.assign(globalThis, {
    Date: new Proxy(real.Date, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    }),
    setTimeout: addTimer(false),
    setInterval: addTimer(true),
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  });
  const realNow = performance.now.bind(performance);
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => (currentActor() ? scheduler.now() : realNow()),
  });
  AbortSignal.timeout = timeout;
  promises.setTimeout = pause;
  syncBuiltinESMExports();
  return () => {
    const { pause: realPause, timeout: realTimeout, ...globals } = real;
    Object.assign(globalThis, globals);
    Reflect.deleteProperty(performance, 'now');
    AbortSignal.timeout = realTimeout;
    promises.setTimeout = realPause;
    syncBuiltinESMExports();
  };
}

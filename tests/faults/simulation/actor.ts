import { AsyncLocalStorage } from 'node:async_hooks';

/** A process of the simulation. All that its code does is found by the context in which it runs. */
export type Actor = {
  readonly name: string;
  isDead: boolean;
  /** It does nothing before this time, and what arrives meanwhile waits in `inbox`. */
  frozenUntilMs: number;
  inbox: (() => void)[];
  /** Called when it is killed. */
  onDeath: (() => Promise<void> | void)[];
};

export const createActor = (name: string): Actor => ({
  name,
  isDead: false,
  frozenUntilMs: 0,
  inbox: [],
  onDeath: [],
});

const contexts = new AsyncLocalStorage<Actor>();

/** The actor whose code runs; undefined: the code of the simulation itself. */
export const currentActor = (): Actor | undefined => contexts.getStore();

/** Runs code as the actor's. */
export const runAs = <T>(actor: Actor, work: () => T): T => contexts.run(actor, work);

/** Runs code as the simulation's own. */
export const runOutside = <T>(work: () => T): T => contexts.exit(work);

/** What a dead process waits for. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

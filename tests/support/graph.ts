import {
  type Arrival,
  Behavior,
  type BehaviorChange,
  type CallKind,
} from '../../apps/simulators/graph/src/behavior.ts';
import { createGraphSimulator } from '../../apps/simulators/graph/src/server.ts';

/** A file of the simulated drive. */
export type DriveFile = { id: string; path: string; text: string };

/** The simulated OneDrive in the test's process, and control of it. */
export type TestGraph = {
  url: string;
  /** Environment of a folder worker that uses it. */
  env: Record<string, string>;
  /** Puts, changes, renames and removes files. */
  change(changes: readonly object[]): Promise<void>;
  files(): Promise<DriveFile[]>;
  /** Sets how it behaves; what is not named is as usual. */
  behave(behavior?: BehaviorChange): Promise<void>;
  account(change: { name?: string; revoke?: 'access' | 'all' }): Promise<void>;
  /** A person's answer to a code; false: the code is not known. */
  answer(code: string, allow: boolean): Promise<boolean>;
  /** The kinds of the calls since the last time. */
  calls(): Promise<CallKind[]>;
  journal(): Promise<Arrival[]>;
  close(): Promise<void>;
};

/** Starts the simulated OneDrive. Codes are asked for every 50 ms. */
export async function startGraph(): Promise<TestGraph> {
  const simulator = createGraphSimulator();
  const url = await simulator.listen(0);
  const headers = { 'content-type': 'application/json' };
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };
  const behave = (behavior: BehaviorChange = {}) =>
    send('POST', '/__behavior', Behavior.parse({ pollSeconds: 0.05, ...behavior }));
  await behave();
  const journal = () => send('GET', '/__journal') as Promise<Arrival[]>;
  return {
    url,
    env: { DEMO_GRAPH_URL: url },
    change: (changes) => send('POST', '/__files', changes) as Promise<void>,
    files: () => send('GET', '/__files') as Promise<DriveFile[]>,
    behave: (behavior) => behave(behavior) as Promise<void>,
    account: (change) => send('POST', '/__account', change) as Promise<void>,
    answer: async (code, allow) =>
      ((await send('POST', '/__answer', { code, allow })) as { taken: boolean }).taken,
    async calls() {
      const kinds = (await journal()).map(({ kind }) => kind);
      await send('DELETE', '/__journal');
      return kinds;
    },
    journal,
    close: () => simulator.close(),
  };
}

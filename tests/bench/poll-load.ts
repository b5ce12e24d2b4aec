import net from 'node:net';

/** A repeated request, and how its answer must begin. */
export type Poll = { port: number; path: string; headers: Record<string, string>; status: number };

/** Keeps `connections` busy with one poll after the other for `forMs`; returns polls per second. */
export async function pollFlatOut(poll: Poll, connections: number, forMs: number): Promise<number> {
  const pollers = await Promise.all(Array.from({ length: connections }, () => connect(poll)));
  let answered = 0;
  let going = true;
  const begun = performance.now();
  const stop = new Promise<void>((resolve) => {
    setTimeout(() => {
      going = false;
      resolve();
    }, forMs);
  });
  const loops = pollers.map(async (poller) => {
    while (going) {
      await poller.ask();
      if (going) answered += 1;
    }
  });
  await stop;
  const perSecond = answered / ((performance.now() - begun) / 1000);
  await Promise.all(loops);
  for (const poller of pollers) poller.end();
  return perSecond;
}

/** Repeats each poll every `everyMs` for `forMs`, spread evenly; returns the milliseconds of each answer. */
export async function pollEvery(
  polls: readonly Poll[],
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<number[]> {
  const connected: Poller[] = [];
  for (const poll of polls) connected.push(await connect(poll));
  const took: number[] = [];
  const begun = performance.now();
  const one = async (poller: Poller, offsetMs: number) => {
    for (let due = begun + offsetMs; due < begun + forMs; due += everyMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, due - performance.now())));
      // Measured from when it was due, so that waiting counts; a timer may also fire a little early.
      const from = Math.min(due, performance.now());
      await poller.ask();
      took.push(performance.now() - from);
    }
  };
  await Promise.all(connected.map((poller, i) => one(poller, (i / polls.length) * everyMs)));
  for (const poller of connected) poller.end();
  return took;
}

type Poller = { ask(): Promise<void>; end(): void };

/** A kept-alive connection with one request at a time. Throws if an answer has another status. */
async function connect({ port, path, headers, status }: Poll): Promise<Poller> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`);
  const socket = net.connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let waiting: PromiseWithResolvers<void> | undefined;
  let head = '';
  let bodyBytesLeft = 0;
  const done = () => {
    head = '';
    waiting?.resolve();
  };
  socket.on('data', (piece) => {
    if (bodyBytesLeft > 0) {
      bodyBytesLeft -= piece.length;
      if (bodyBytesLeft === 0) done();
      return;
    }
    head += piece.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    if (!head.startsWith(`HTTP/1.1 ${status} `)) {
      waiting?.reject(new Error(`Another answer than ${status}: ${head.slice(0, 60)}`));
      return;
    }
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    bodyBytesLeft = length - (head.length - end - 4);
    if (bodyBytesLeft === 0) done();
  });
  socket.on('error', (error) => waiting?.reject(error));
  return {
    ask() {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    end: () => socket.destroy(),
  };
}

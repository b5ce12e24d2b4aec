import net from 'node:net';

/** A reply: its status, and the milliseconds from when it was due. */
export type Timed = { path: string; status: number; tookMs: number };

/** A signed-in browser with kept-alive connections to each api, used in turns, and an ETag for each path. */
export type LoadBrowser = {
  /** Asks again for what it has. `due`: when it should have asked; waiting for the reply before counts. */
  ask(path: string, due: number): Promise<Timed>;
  end(): void;
};

type Reply = { status: number; etag: string | undefined };
type Connection = { send(request: string): Promise<Reply>; end(): void };

/** Opens the connections. A reply that cannot be read is reported as status 0. */
export async function openLoadBrowser(ports: readonly number[], cookie: string): Promise<LoadBrowser> {
  const connections = await Promise.all(ports.map(connect));
  const etags = new Map<string, string>();
  let next = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async ask(path, due) {
      const turn = last.then(async () => {
        const at = next++ % connections.length;
        const etag = etags.get(path);
        const known = etag === undefined ? '' : `if-none-match: ${etag}\r\n`;
        const head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${ports[at]}\r\ncookie: ${cookie}\r\naccept-encoding: br\r\n`;
        return (connections[at] as Connection).send(`${head}${known}\r\n`);
      });
      last = turn.catch(() => {});
      const reply = await turn.catch((): Reply => ({ status: 0, etag: undefined }));
      if (reply.etag !== undefined) etags.set(path, reply.etag);
      return { path, status: reply.status, tookMs: performance.now() - due };
    },
    end() {
      for (const connection of connections) connection.end();
    },
  };
}

async function connect(port: number): Promise<Connection> {
  const socket = net.connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let waiting: PromiseWithResolvers<Reply> | undefined;
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece]);
    const reply = wholeReply(received);
    if (reply === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(reply);
  });
  const fail = () => waiting?.reject(new Error('The connection was closed'));
  socket.on('error', fail);
  socket.on('close', fail);
  return {
    send(request) {
      waiting = Promise.withResolvers();
      if (socket.destroyed) fail();
      else socket.write(request);
      return waiting.promise;
    },
    end: () => socket.destroy(),
  };
}

/** The reply, once all of it is there: by its length, or to the end of its chunks. */
function wholeReply(received: Buffer): Reply | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const bytes = received.length - end - 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isWhole =
    status === 304 ||
    (length !== undefined
      ? bytes >= Number(length)
      : received.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n' || bytes === 0);
  return isWhole ? { status, etag: /\r\netag: *(\S+)/i.exec(head)?.[1] } : undefined;
}

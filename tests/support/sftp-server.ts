import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';

const { Server, utils } = ssh2;
const { OPEN_MODE, STATUS_CODE } = utils.sftp;

type ServedFile = { bytes: Buffer; mtime: number; mode?: number };

const regular = 0o100644;
const link = 0o120777;
export const linkMode = link;

/** An sftp server with memory: its files, the sign-ins that it was offered, and what it was asked for. */
export type SftpServer = Awaited<ReturnType<typeof startSftpServer>>;

export async function startSftpServer(user: { name: string; password?: string; publicKey?: string }) {
  const files = new Map<string, ServedFile>();
  const offered: string[] = [];
  const asked: string[] = [];
  const allowed = user.publicKey === undefined ? undefined : utils.parseKey(user.publicKey);
  const listen = async (hostKey: string, port = 0) => {
    const server = new Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => {});
      client.on('authentication', (context) => {
        offered.push(context.method);
        const isKey =
          context.method === 'publickey' &&
          allowed !== undefined &&
          !(allowed instanceof Error) &&
          context.key.data.equals(allowed.getPublicSSH());
        const isPassword = context.method === 'password' && context.password === user.password;
        if (context.username === user.name && (isKey || isPassword)) context.accept();
        else context.reject([user.password === undefined ? 'publickey' : 'password']);
      });
      client.on('session', (accept) => {
        accept().on('sftp', (begin) => serveFiles(begin(), files, asked));
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  };
  const newKey = () => utils.generateKeyPairSync('ed25519').private;
  let server = await listen(newKey());
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    origin: `sftp://127.0.0.1:${port}`,
    files,
    offered,
    asked,
    write: (path: string, text: string, mtime: number, mode?: number) =>
      void files.set(path, { bytes: Buffer.from(text), mtime, ...(mode !== undefined && { mode }) }),
    /** Goes on with another host key at the same port, as an impostor would. */
    async changeKey() {
      await close();
      server = await listen(newKey(), port);
    },
    close,
  };
}

function serveFiles(sftp: ssh2.SFTPWrapper, files: Map<string, ServedFile>, asked: string[]): void {
  const handles = new Map<number, { path: string; isListed: boolean }>();
  let next = 0;
  const opened = (path: string) => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next);
    handles.set(next, { path, isListed: false });
    next += 1;
    return handle;
  };
  const of = (handle: Buffer) => handles.get(handle.readUInt32BE(0));
  const attrs = ({ bytes, mtime, mode = regular }: ServedFile) => ({
    ...{ mode, uid: 0, gid: 0, size: bytes.length, atime: mtime, mtime },
  });
  const stat = (id: number, path: string) => {
    asked.push(path);
    const file = files.get(path);
    return file ? sftp.attrs(id, attrs(file)) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  };
  sftp.on('LSTAT', stat);
  sftp.on('STAT', stat);
  sftp.on('FSTAT', (id, handle) => stat(id, of(handle)?.path ?? ''));
  sftp.on('OPEN', (id, path, flags) => {
    asked.push(path);
    if (!files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    if (flags !== OPEN_MODE.READ) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    return sftp.handle(id, opened(path));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const bytes = files.get(of(handle)?.path ?? '')?.bytes.subarray(offset, offset + length);
    return bytes && bytes.length > 0 ? sftp.data(id, bytes) : sftp.status(id, STATUS_CODE.EOF);
  });
  sftp.on('OPENDIR', (id, path) => {
    asked.push(path);
    return sftp.handle(id, opened(path));
  });
  sftp.on('READDIR', (id, handle) => {
    const folder = of(handle);
    if (!folder || folder.isListed) return sftp.status(id, STATUS_CODE.EOF);
    folder.isListed = true;
    const names = [...files].filter(([path]) => path.startsWith(`${folder.path}/`));
    return sftp.name(
      id,
      names.map(([path, file]) => {
        const filename = path.slice(folder.path.length + 1);
        return { filename, longname: filename, attrs: attrs(file) };
      }),
    );
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}

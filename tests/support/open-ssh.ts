import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { until } from './fixture.ts';
import { ownPort } from './own-port.ts';

/** The server of OpenSSH, where it is installed (Debian: openssh-server); `SSHD` names another one. */
const sshd = process.env.SSHD ?? '/usr/sbin/sshd';
export const hasOpenSsh = existsSync(sshd);

/** Starts a server of OpenSSH that the user of the tests signs in to with a key. */
export async function startOpenSsh() {
  const folder = await mkdtemp(join(tmpdir(), 'draftshelf-sshd-'));
  const files = join(folder, 'files');
  await mkdir(files);
  const [host, user] = [ssh2.utils.generateKeyPairSync('ed25519'), ssh2.utils.generateKeyPairSync('ed25519')];
  await writeFile(join(folder, 'host'), host.private, { mode: 0o600 });
  await writeFile(join(folder, 'authorized'), user.public, { mode: 0o600 });
  // Also where the mask of the user gives others no access.
  await chmod(folder, 0o755);
  const port = await ownPort();
  const config = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', 'PidFile none', 'StrictModes no', 'UsePAM no'],
    ...[`HostKey ${join(folder, 'host')}`, `AuthorizedKeysFile ${join(folder, 'authorized')}`],
    ...['PasswordAuthentication no', 'PermitRootLogin yes', 'Subsystem sftp internal-sftp'],
  ];
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
  const server: ChildProcess = spawn(sshd, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' });
  await until('sshd listens', async () => canConnect(port));
  return {
    origin: `sftp://127.0.0.1:${port}`,
    files,
    signIn: { kind: 'key', user: userInfo().username, privateKey: user.private, passphrase: '' } as const,
    async close() {
      server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

const loopbackHosts = ['127.0.0.1', '::1', 'localhost'];

/** Whether only the own machine reaches a server on this host. */
export const isLoopback = (host: string): boolean => loopbackHosts.includes(host);

const accessKeyCharsMin = 12;

export type AccessEnv = { ACCESS_KEY?: string | undefined; HOST: string };

/** An empty key turns sign-in off. On a loopback address any key will do. Null: no problem. */
export function accessKeyProblem({ ACCESS_KEY: key, HOST: host }: AccessEnv): string | null {
  if (key === undefined || isLoopback(host)) return null;
  if (key === '') {
    return 'ACCESS_KEY is empty, which turns sign-in off: then HOST has to be a loopback address, 127.0.0.1';
  }
  if (key.trim().length >= accessKeyCharsMin) return null;
  return (
    `ACCESS_KEY has fewer than ${accessKeyCharsMin} characters, and HOST lets other machines connect: ` +
    'set a longer key, for example one that openssl rand -hex 16 prints, or set HOST to 127.0.0.1'
  );
}

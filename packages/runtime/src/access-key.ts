const loopbackHosts = ['127.0.0.1', '::1', 'localhost'];

/** Whether a server that listens on this host is reached from its own machine only. */
export const isLoopback = (host: string): boolean => loopbackHosts.includes(host);

/** A shorter key could be guessed by whoever reaches the address. */
const accessKeyCharsMin = 12;

/** The variables that decide who can sign in from where. */
export type AccessEnv = { ACCESS_KEY?: string | undefined; HOST: string };

/**
 * Why a server may not listen on `HOST` with this access key, or null if it may. An empty key turns sign-in off. On a
 * loopback address any key will do.
 */
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

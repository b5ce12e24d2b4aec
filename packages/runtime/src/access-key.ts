const loopbackHosts = ['127.0.0.1', '::1', 'localhost'];

/** Returns whether a server on this host can be reached only from its own machine. */
export const isLoopback = (host: string): boolean => loopbackHosts.includes(host);

const accessKeyCharsMin = 12;

export type AccessEnv = { ACCESS_KEY?: string | undefined; HOST: string };

/** Returns why an access key is unsafe, or null. An empty key turns sign-in off. On loopback, any key is safe. */
export function findAccessKeyProblem({ ACCESS_KEY: key, HOST: host }: AccessEnv): string | null {
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

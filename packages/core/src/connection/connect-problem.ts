import pg from 'pg';

/** Errors thrown while connecting to Postgres. Errors of other connections can have the same codes. */
const ofConnecting = new WeakSet<Error>();

export function noteConnectError(error: unknown): void {
  if (error instanceof Error) ofConnecting.add(error);
}

const unreachable = 'The host of DATABASE_URL doesn’t answer. Check its name, the network and the firewall.';
const byCode: [RegExp, string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'The host of DATABASE_URL is not found. Check its name.'],
  [
    /^ECONNREFUSED$/,
    'Nothing listens at the host and port of DATABASE_URL. Check both, and that Postgres is running.',
  ],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, unreachable],
  [/^28P01$/, 'Postgres refuses the user or the password of DATABASE_URL.'],
  [
    /^28000$/,
    'Postgres doesn’t let the user of DATABASE_URL connect from this host, or without TLS. Check the user’s name, sslmode, and pg_hba.conf of the server.',
  ],
  [/^3D000$/, 'The database that DATABASE_URL names doesn’t exist. Create it, or correct its name.'],
  [
    /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    'The certificate of Postgres is not accepted. Check the host, sslmode and sslrootcert of DATABASE_URL.',
  ],
];
const byMessage: [RegExp, string][] = [
  [/^timeout exceeded when trying to connect|^Connection terminated due to connection timeout/, unreachable],
  [
    /does not support SSL/,
    'DATABASE_URL asks for TLS, which Postgres doesn’t offer. Check sslmode in DATABASE_URL.',
  ],
  [/password must be a (non-empty )?string/, 'DATABASE_URL has no password, and Postgres asks for one.'],
];

/** Returns a sentence on why connecting failed, without values, which may be secret. Undefined for other errors. */
export function describeConnectError(error: unknown): string | undefined {
  if (!(error instanceof Error && (error instanceof pg.DatabaseError || ofConnecting.has(error)))) return;
  const { code = '' } = error as { code?: string };
  const found =
    byCode.find(([form]) => form.test(code)) ?? byMessage.find(([form]) => form.test(error.message));
  return found && (code === '' ? found[1] : `${found[1]} (${code})`);
}

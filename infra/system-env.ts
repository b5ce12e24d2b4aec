import type { EnvSource } from '@draftshelf/runtime/env';

/** Variables of the system and of Node that every program may need: paths, language, certificates, the way out. */
const systemVariables = [
  ...['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL'],
  ...['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['NODE_USE_ENV_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];

/**
 * The part of the shell's environment that programs get. The rest stays out: it may contain secrets of the operator
 * that are none of theirs.
 */
export function systemEnv(source: EnvSource): Record<string, string | undefined> {
  return Object.fromEntries(systemVariables.map((name) => [name, source[name]]));
}

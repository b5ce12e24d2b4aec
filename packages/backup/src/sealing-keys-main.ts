import { purposes, sealingKeyText } from '@draftshelf/core/access/sealing';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

// Prints the sealing keys of workers, which are derived from CREDENTIALS_KEY, as lines of .env.

const { CREDENTIALS_KEY } = exitOnConfigurationError(() => readEnv(envSchema('sealing-keys'), process.env));
if (CREDENTIALS_KEY === undefined) {
  console.error('CREDENTIALS_KEY is not set: openssl rand -hex 32 prints one.');
  process.exit(1);
}
for (const purpose of purposes) {
  console.log(`SEALING_KEY_${purpose.toUpperCase()}=${sealingKeyText(CREDENTIALS_KEY, purpose)}`);
}

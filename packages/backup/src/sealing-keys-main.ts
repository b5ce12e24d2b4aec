import { credentialPurposes, deriveSealingKey } from '@draftshelf/core/access/sealing';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';

// Prints the sealing keys of workers, which are derived from CREDENTIALS_KEY, as lines of .env.

const { CREDENTIALS_KEY } = exitOnConfigurationError(() =>
  readEnv(createEnvSchema('sealing-keys'), process.env),
);
if (CREDENTIALS_KEY === undefined) {
  console.error('CREDENTIALS_KEY is not set: openssl rand -hex 32 prints one.');
  process.exit(1);
}
for (const purpose of credentialPurposes) {
  console.log(`SEALING_KEY_${purpose.toUpperCase()}=${deriveSealingKey(CREDENTIALS_KEY, purpose)}`);
}

import { LogLevel, Port, readEnv, Secret, Text } from '@draftshelf/runtime/env';
import { createLogger } from '@draftshelf/runtime/logger';
import { onShutdown } from '@draftshelf/runtime/shutdown';
import { signalReady } from '@draftshelf/runtime/signal-ready';
import { z } from 'zod';
import { plans } from './bucket.ts';
import { loadAdminSchema } from './schema.ts';
import { createStoreSimulator } from './server.ts';

const Config = z.object({
  PORT: Port,
  HOST: Text.default('127.0.0.1'),
  DATA_DIR: Text,
  ACCESS_TOKEN: Secret,
  CLIENT_ID: Secret.optional(),
  CLIENT_SECRET: Secret.optional(),
  PUBLIC_URL: z.url('expected the address under which the store’s pages are opened').optional(),
  PLAN: z.enum(plans, { error: `expected one of ${plans.join(', ')}` }).default('standard'),
  LOG_LEVEL: LogLevel,
});

const config = readEnv(Config, process.env);
const logger = createLogger({
  name: 'store-simulator',
  level: config.LOG_LEVEL,
  pretty: process.stdout.isTTY,
});
const simulator = await createStoreSimulator({
  schema: loadAdminSchema('2026-10'),
  dataDir: config.DATA_DIR,
  accessToken: config.ACCESS_TOKEN,
  client:
    config.CLIENT_ID && config.CLIENT_SECRET ? { id: config.CLIENT_ID, secret: config.CLIENT_SECRET } : null,
  clock: Date.now,
  plan: config.PLAN,
  publicUrl: config.PUBLIC_URL ?? null,
  logger,
});
const url = await simulator.listen(config.PORT, config.HOST);
logger.info({ url }, 'listening');
onShutdown({ steps: [{ name: 'store', run: () => simulator.close() }], stepMsMax: 5_000, logger });
signalReady();

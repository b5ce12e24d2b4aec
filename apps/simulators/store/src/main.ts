import { join } from 'node:path';
import { Port, readEnv, Secret, Text } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { createLogger } from '@draftshelf/runtime/logger';
import { onShutdown, signalReady } from '@draftshelf/runtime/shutdown';
import { z } from 'zod';
import { demoShop, secondShop } from './demo-shop.ts';
import { loadAdminSchema } from './schema.ts';
import { createStoreSimulator } from './server.ts';

const Config = createEnvSchema('store-simulator').extend({
  PORT: Port,
  HOST: Text.default('127.0.0.1'),
  DATA_DIR: Text,
  ACCESS_TOKEN: Secret,
  CLIENT_ID: Secret.optional(),
  CLIENT_SECRET: Secret.optional(),
  PUBLIC_URL: z.url('expected the address under which the store’s pages are opened').optional(),
});

const config = readEnv(Config, process.env);
const logger = createLogger({
  name: 'store-simulator',
  level: config.LOG_LEVEL,
  pretty: process.stdout.isTTY,
});
const common = {
  schema: loadAdminSchema('2026-10'),
  accessToken: config.ACCESS_TOKEN,
  client:
    config.CLIENT_ID && config.CLIENT_SECRET ? { id: config.CLIENT_ID, secret: config.CLIENT_SECRET } : null,
  clock: Date.now,
  plan: config.PLAN,
  logger,
};
const shops = [
  {
    port: config.PORT,
    shop: demoShop(),
    dataDir: config.DATA_DIR,
    publicUrl: config.PUBLIC_URL ?? null,
  },
];
if (config.SECOND_SHOP_PORT !== undefined) {
  const dataDir = join(config.DATA_DIR, 'second-shop');
  shops.push({ port: config.SECOND_SHOP_PORT, shop: secondShop(), dataDir, publicUrl: null });
}
const close: (() => Promise<void>)[] = [];
for (const { port, ...options } of shops) {
  const simulator = await createStoreSimulator({ ...common, ...options });
  close.push(() => simulator.close());
  const url = await simulator.listen(port, config.HOST);
  logger.info({ url, shop: options.shop.myshopifyDomain }, 'listening');
}
const run = async () => void (await Promise.all(close.map((one) => one())));
onShutdown({ steps: [{ name: 'store', run }], stepMsMax: 5_000, logger });
signalReady();

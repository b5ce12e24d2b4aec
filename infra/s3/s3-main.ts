import { Port, readEnv, Secret, Text } from '@draftshelf/runtime/env';
import { createLogger } from '@draftshelf/runtime/logger';
import { onShutdown, signalReady } from '@draftshelf/runtime/shutdown';
import { z } from 'zod';
import { startS3 } from './s3-server.ts';

const Config = z.object({
  PORT: Port,
  DATA_DIR: Text,
  S3_ACCESS_KEY: Text,
  S3_SECRET_KEY: Secret,
  S3_REGION: Text,
});

const config = readEnv(Config, process.env);
const logger = createLogger({ name: 's3', level: 'info', pretty: false });
const server = await startS3({
  dir: config.DATA_DIR,
  port: config.PORT,
  credentials: { accessKey: config.S3_ACCESS_KEY, secretKey: config.S3_SECRET_KEY, region: config.S3_REGION },
});
onShutdown({ steps: [{ name: 'server', run: server.stop }], stepMsMax: 5000, logger });
logger.info({ port: server.port }, 'listening');
signalReady();

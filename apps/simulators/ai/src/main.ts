import { Port, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';
import { createLogger } from '@draftshelf/runtime/logger';
import { onShutdown } from '@draftshelf/runtime/shutdown';
import { signalReady } from '@draftshelf/runtime/signal-ready';
import { createAiSimulator } from './server.ts';

const config = readEnv(envSchema('ai-simulator').extend({ PORT: Port }), process.env);
const logger = createLogger({ name: 'ai-simulator', level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
const simulator = createAiSimulator();
const url = await simulator.listen(config.PORT);
logger.info({ url }, 'listening');
onShutdown({ steps: [{ name: 'ai', run: () => simulator.close() }], stepMsMax: 5_000, logger });
signalReady();

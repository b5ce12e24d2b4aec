import { Port, readEnv } from './env.ts';
import { createEnvSchema } from './env-catalog.ts';
import { createLogger } from './logger.ts';
import { onShutdown, signalReady } from './shutdown.ts';

/** Runs a simulated service as a process of its own, on the port in PORT. */
export async function runSimulator(
  name: 'ai-simulator' | 'graph-simulator' | 'source-simulator',
  simulator: { listen(port: number): Promise<string>; close(): Promise<void> },
): Promise<void> {
  const config = readEnv(createEnvSchema(name).extend({ PORT: Port }), process.env);
  const logger = createLogger({ name, level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
  const url = await simulator.listen(config.PORT);
  logger.info({ url }, 'listening');
  onShutdown({ steps: [{ name, run: () => simulator.close() }], stepMsMax: 5_000, logger });
  signalReady();
}

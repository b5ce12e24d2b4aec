import { findAccessKeyProblem } from '@draftshelf/runtime/access-key';
import { findAiEnvProblem } from '@draftshelf/runtime/ai-env';
import { ConfigurationError, type EnvSource, readEnv } from '@draftshelf/runtime/env';
import {
  type EnvVariable,
  envCatalog,
  envVariables,
  type VariableName,
} from '@draftshelf/runtime/env-catalog';
import { z } from 'zod';

type Catalog = typeof envCatalog;
/** The variables that operators set. */
type OperatorName = {
  [Name in VariableName]: Catalog[Name] extends { isInner: true } ? never : Name;
}[VariableName];
/** What a process requires, the start has a default for, or makes it itself. */
type StartPiece<V extends EnvVariable> = V extends { startDefault: string }
  ? z.ZodPrefault<V['schema']>
  : undefined extends z.input<V['schema']>
    ? V['schema']
    : z.ZodOptional<V['schema']>;

const StartEnv = z.object({
  ...(Object.fromEntries(
    envVariables
      .filter(([, { isInner }]) => !isInner)
      .map(([name, variable]) => [name, startPiece(variable)]),
  ) as { [Name in OperatorName]: StartPiece<Catalog[Name]> }),
  // A browser needs an address that is known.
  PORT: envCatalog.PORT.schema.refine((port) => port > 0, 'expected a port from 1 to 65535'),
});
type StartEnv = z.infer<typeof StartEnv>;
export type StartConfig = StartEnv & { PUBLIC_URL: string };

function startPiece({ schema, startDefault }: EnvVariable): z.ZodType {
  if (startDefault !== undefined) return schema.prefault(startDefault);
  return schema.safeParse(undefined).success ? schema : schema.optional();
}

/**
 * The configuration of `npm start`: all variables of operators, so that their problems are reported before anything
 * runs, also those of variables that only an app or a simulator uses.
 *
 * @throws ConfigurationError naming every problem at once
 */
export function readStartConfig(source: EnvSource): StartConfig {
  const config = readEnv(StartEnv, source);
  const problems = [...storageProblems(config), ...storeProblems(config)];
  for (const problem of [findAccessKeyProblem(config), findAiEnvProblem(config)]) {
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...config, PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${config.PORT}` };
}

function storageProblems(config: StartEnv): string[] {
  const group = ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
  const missing = group.filter((name) => config[name] === undefined);
  if (missing.length === 0 || missing.length === group.length) return [];
  return [`${missing.join(' and ')} must be set too: object storage is given by ${group.join(', ')}`];
}

function storeProblems(config: StartEnv): string[] {
  const { SHOPIFY_ACCESS_TOKEN: token, SHOPIFY_CLIENT_ID: id, SHOPIFY_CLIENT_SECRET: secret } = config;
  const problems: string[] = [];
  if ((id === undefined) !== (secret === undefined)) {
    problems.push('SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET go together');
  }
  const hasAccess = token !== undefined || id !== undefined || secret !== undefined;
  if (config.SHOPIFY_STORE_URL === undefined && hasAccess) {
    problems.push('SHOPIFY_STORE_URL must be set too, because credentials for a store are set');
  }
  if (config.SHOPIFY_STORE_URL !== undefined && !hasAccess) {
    problems.push('SHOPIFY_ACCESS_TOKEN, or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET, must be set too');
  }
  return problems;
}

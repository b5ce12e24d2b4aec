import { envVariables, formatDefault, isInner } from '@draftshelf/runtime/env-catalog';

/** The variables that operators set, each as the cells of a line in a table of Markdown. */
export const configurationCells = envVariables
  .filter(([name]) => !isInner(name))
  .map(([name, variable]) => {
    const value = formatDefault(variable);
    return {
      name: `\`${name}\``,
      preset: value === undefined ? (variable.unset ?? '') : `\`${value}\``,
      meaning: variable.meaning,
    };
  });

/** docs/CONFIGURATION.md, generated from the catalog. */
export function configurationPage(): string {
  const lines = configurationCells.map(({ name, preset, meaning }) => `| ${name} | ${preset} | ${meaning} |`);
  return `${intro}\n${lines.join('\n')}\n`;
}

const intro = `# Configuration

Generated from \`packages/runtime/src/env-catalog.ts\` by \`npx node infra/configuration-main.ts\`; \`npm test\` compares them. In the catalog, \`readBy\` names the programs that read a variable.

Configuration comes from the environment, is read once, and all problems are reported together. An empty value counts as unset. Each variable may be given as a file instead: \`ACCESS_KEY_FILE=/run/secrets/access-key\`.

\`npm start\` reads them from its environment and passes to each program only what it reads; so do the compose files. In containers they come from \`.env\`, which \`npm run env -- .env\` makes from [.env.example](../.env.example) with random secrets; it also has what only docker-compose.yml reads, such as passwords of its services.

| Variable | Default | Meaning |
|---|---|---|`;

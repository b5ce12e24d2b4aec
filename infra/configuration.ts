import { defaultOf, isInner, variables } from '@draftshelf/runtime/env-catalog';

/** The variables that operators set, each as the cells of a line in a table of Markdown. */
export const configurationCells = variables
  .filter(([name]) => !isInner(name))
  .map(([name, variable]) => {
    const value = defaultOf(variable);
    return {
      name: `\`${name}\``,
      preset: value === undefined ? (variable.unset ?? '') : `\`${value}\``,
      meaning: variable.meaning,
      readers: variable.readBy.join(', '),
    };
  });

/** docs/CONFIGURATION.md, generated from the catalog. */
export function configurationPage(): string {
  const lines = configurationCells.map(
    ({ name, preset, meaning, readers }) => `| ${name} | ${preset} | ${meaning} | ${readers} |`,
  );
  return `${intro}\n${lines.join('\n')}\n`;
}

const intro = `# Configuration

Generated from \`packages/runtime/src/env-catalog.ts\` by \`node infra/configuration-main.ts\`; \`npm test\` compares them.

All configuration comes from the environment. It is read once, and all problems are reported together. An empty value counts as unset. Each variable may be given as a file instead: \`ACCESS_KEY_FILE=/run/secrets/access-key\` takes the key from that file.

\`npm start\` reads them from its environment and passes to each program only what it reads. In containers they come from \`.env\`, which \`npm run env -- .env\` makes from [.env.example](../.env.example) with random secrets; there are also the variables that only docker-compose.yml has, such as passwords of its services.

| Variable | Default | Meaning | Read by |
|---|---|---|---|`;

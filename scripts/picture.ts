/** Allowed imports by folder; imported packages are named without `packages/`. */
export type Arrows = Record<string, readonly string[]>;

const begin =
  '<!-- The picture: printed by scripts/architecture.ts, compared with its table by npm test. -->';
const end = '<!-- End of the picture. -->';

/**
 * Draws folders and arrows as Mermaid. An arrow is left out where other arrows already lead, so that the picture shows
 * the layers; the table has all allowed imports.
 */
export function drawPicture(arrows: Arrows): string {
  const lines = ['```mermaid', 'flowchart TD'];
  for (const [layer, folders] of layersOf(Object.keys(arrows))) {
    lines.push(`  subgraph ${layer}`, ...folders.map((folder) => `    ${nodeOf(folder)}`), '  end');
  }
  for (const [folder, imported] of Object.entries(arrows)) {
    const drawn = imported.filter(
      (target) => !imported.some((other) => other !== target && leadsTo(arrows, other, target)),
    );
    if (drawn.length > 0) lines.push(`  ${nodeOf(folder)} --> ${drawn.join(' & ')}`);
  }
  return [...lines, '```'].join('\n');
}

/** The picture between the two marks of a document, or undefined. */
export function pictureIn(document: string): string | undefined {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  return from < 0 || to < from ? undefined : document.slice(from + begin.length, to).trim();
}

/** A folder without its layer: two nested folders may have the name of a package. */
const nodeOf = (folder: string): string => folder.slice(folder.indexOf('/') + 1);

/** Folders by their parent folder; those at the top are tools. */
function layersOf(folders: readonly string[]): Map<string, string[]> {
  return Map.groupBy(folders, (folder) => folder.split('/').at(-2) ?? 'tools');
}

function leadsTo(arrows: Arrows, from: string, to: string): boolean {
  const imported = arrows[`packages/${from}`] ?? arrows[from] ?? [];
  return imported.includes(to) || imported.some((target) => leadsTo(arrows, target, to));
}

/** Names that every file of a kind exports: migrations are loaded by their number. */
const alike = /\/migrations\//;
/** A schema has the name of its type, which browsers import without the library of schemas. */
const schemas = /-schema\.ts$/;
/** Features of the web app know each other only through their index. */
const ownNames = ['apps/web', 'tests'];

const exported = /^export (?:async )?(?:function\*?|const|let|type|class) (\w+)/gm;

/** Collects the names that modules export. `breaches`: a sentence for each that two modules of a folder export. */
export function exportedNames() {
  const firstFiles = new Map<string, string>();
  const breaches: string[] = [];
  return {
    breaches,
    add(folder: string, file: string, source: string): void {
      if (
        ownNames.includes(folder) ||
        alike.test(file) ||
        schemas.test(file) ||
        /\.test\.ts$|\/testing\//.test(file)
      )
        return;
      for (const name of new Set([...source.matchAll(exported)].map(([, name]) => name))) {
        const first = firstFiles.get(`${folder} ${name}`);
        if (first === undefined) firstFiles.set(`${folder} ${name}`, file);
        else breaches.push(`${file}: exports ${name}, but so does ${first}: a name is for one thing`);
      }
    },
  };
}

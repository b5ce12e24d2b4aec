import type { Catalogue, StoredDefinition } from './catalogue.ts';
import { definitionView } from './shop-view.ts';

export type DefinitionArguments = {
  name: string;
  namespace?: string | null;
  key: string;
  ownerType: string;
  type: string;
};

const definitionsPerOwnerMax = 256;

/** metafieldDefinitionCreate with the checks that were recorded from real stores. */
export function metafieldDefinitionCreate(definition: DefinitionArguments, catalogue: Catalogue): object {
  const { ownerType, key, name, type } = definition;
  const namespace = definition.namespace ?? '';
  const refuse = (code: string, field: string, message: string) => ({
    createdDefinition: null,
    userErrors: [{ code, field: ['definition', field], message }],
  });
  if (namespace.length < 3) {
    return refuse('TOO_SHORT', 'namespace', 'Namespace is too short (minimum is 3 characters)');
  }
  if (key.length < 2) return refuse('TOO_SHORT', 'key', 'Key is too short (minimum is 2 characters)');
  if (catalogue.definition(ownerType, namespace, key)) {
    const owners = ownerType.charAt(0) + ownerType.slice(1).toLowerCase();
    return refuse('TAKEN', 'key', `Key is in use for ${owners} metafields on the '${namespace}' namespace.`);
  }
  if (catalogue.definitions.filter((one) => one.ownerType === ownerType).length >= definitionsPerOwnerMax) {
    const message = `Stores can only have ${definitionsPerOwnerMax} definitions for each store resource.`;
    return refuse('RESOURCE_TYPE_LIMIT_EXCEEDED', 'ownerType', message);
  }
  const stored: StoredDefinition = { id: catalogue.nextId(), ownerType, namespace, key, name, type };
  catalogue.addDefinition(stored);
  return { createdDefinition: definitionView(stored), userErrors: [] };
}

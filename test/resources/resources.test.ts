/** Every resource states every facet, and what it states is served: what is forgotten is named here. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getOrElse, isNone } from '../../src/base/none.ts';
import { yamlNames } from '../../src/content/schemas.ts';
import { facets } from '../../src/resources/resource.ts';
import { resources } from '../../src/resources/resources.ts';

describe('The declarations of src/resources/resources.ts', () => {
  for (const resource of resources) {
    it(`the resource ${resource.name} declares every facet, or the reason why it has none`, () => {
      const unsaid = facets.filter((facet) => resource[facet] === undefined);
      assert.deepEqual(unsaid, [], `${resource.name}: declare ${unsaid.join(', ')}, or say none(why)`);
      for (const facet of facets) {
        const stated = resource[facet];
        if (isNone(stated)) assert.ok(stated.none.length > 4, `${resource.name}.${facet}: say why there is none`);
      }
    });
  }

  it('each resource has a unique name', () => {
    const names = resources.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  it('each YAML file of the content folder is published by a resource', () => {
    const published = resources.flatMap(({ content }) => getOrElse(content, []));
    assert.deepEqual(
      yamlNames.filter((name) => !published.some((known) => known === name)),
      [],
    );
  });
});

/** Tests the declarations of resources: each one has every facet, or the reason why not, and each YAML file is published. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getOrElse, isNone } from '../../src/base/none.ts';
import { yamlNames } from '../../src/content/schemas.ts';
import { facets } from '../../src/resources/resource.ts';
import { resources } from '../../src/resources/resources.ts';

describe('The declarations of src/resources/resources.ts', () => {
  for (const resource of resources) {
    it(`the resource ${resource.name} declares every facet, or the reason why it has none`, () => {
      const missing = facets.filter((facet) => resource[facet] === undefined);
      assert.deepEqual(missing, [], `${resource.name}: declare ${missing.join(', ')}, or say none(why)`);
      for (const facet of facets) {
        const value = resource[facet];
        if (isNone(value)) assert.ok(value.none.length > 4, `${resource.name}.${facet}: say why there is none`);
      }
    });
  }

  it('each resource has a unique name', () => {
    const names = resources.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  it('each YAML file of the content folder is published by a resource', () => {
    const publishedNames = resources.flatMap(({ content }) => getOrElse(content, []));
    assert.deepEqual(
      yamlNames.filter((name) => !publishedNames.some((file) => file === name)),
      [],
    );
  });
});

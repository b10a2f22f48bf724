/** Fills in the placeholders of a template, such as the text of a file. */

/** Returns the text with each `{{name}}` replaced by its value, which is not escaped. Throws an Error for a name without a value. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{\{(.*?)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The template has a placeholder without a value: ${placeholder}`);
    return String(value);
  });
}

/** The syntax of JSON values in a programming language. */
interface JsonSyntax {
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly text: (text: string) => string;
  readonly field: (name: string) => string;
  readonly indent: string;
  /** True if the language can represent the number exactly. */
  readonly isExact: (number: string) => boolean;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Formats JSON as a literal of a language. Null if the text is not JSON, or if the language would change the value, for
 * example by rounding a number or giving a field a special meaning.
 */
export function jsonLiteral(json: string, { words, text, field, indent, isExact }: JsonSyntax): string | null {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  const tokens = json.match(TOKEN) ?? [];
  let depth = 0;
  let written = '';
  const line = () => `\n${indent.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? '';
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      depth += isEmpty ? 0 : 1;
      written += isEmpty ? token : token + line();
    } else if (token === '}' || token === ']') {
      const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
      if (!isEmpty) {
        depth -= 1;
        written += `,${line()}`;
      }
      written += token;
    } else if (token === ',') {
      written += `,${line()}`;
    } else if (token === ':') {
      written += ': ';
    } else if (token.startsWith('"')) {
      const value = JSON.parse(token) as string;
      if (value === '__proto__') return null;
      written += next === ':' ? field(value) : text(value);
    } else if (token === 'true' || token === 'false' || token === 'null') {
      written += words[token];
    } else {
      if (!isExact(token)) return null;
      written += token;
    }
  }
  return written;
}

/** True if a number, as it is written, equals its floating-point representation. */
export function isExactDouble(number: string): boolean {
  return String(Number(number)) === number;
}

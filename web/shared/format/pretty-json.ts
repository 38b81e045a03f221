const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';

/**
 * Formats JSON without changing its numbers and strings. It does not parse them, because that would round large
 * numbers. Text that is not JSON stays unchanged.
 */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  return tokens
    .map((token, index) => {
      const isEmpty = /^[{[]$/.test(tokens[index - 1] ?? '') && /^[}\]]$/.test(token);
      if (/^[{[]$/.test(token)) {
        depth += 1;
        return /^[}\]]$/.test(tokens[index + 1] ?? '') ? token : token + line(depth);
      }
      if (/^[}\]]$/.test(token)) {
        depth -= 1;
        return isEmpty ? token : line(depth) + token;
      }
      if (token === ',') return token + line(depth);
      return token === ':' ? ': ' : token;
    })
    .join('');
}

function line(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

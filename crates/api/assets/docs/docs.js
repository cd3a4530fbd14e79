// Shows /openapi.json with RapiDoc. In the demo, the page has the demo's team and token in its
// body; otherwise the reader types a token, which is remembered for this tab alone.
'use strict';

const TOKEN = 'waybill-token';
const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
// Headers that answers of all operations have. They are told once, at the beginning.
const COMMON = ['Request-ID', 'Server-Timing', 'RateLimit', 'RateLimit-Policy', 'Content-Language'];

// With room for it, an operation fits the screen: what is sent on the left, the answers on the right.
const ONE_SCREEN = `
  .section-gap--focused-mode { padding: 12px 24px !important; }
  .expanded-endpoint-body h2 { margin: 28px 0 0; }
  @media (min-width: 1100px) {
    .section-gap--focused-mode:has(> .expanded-endpoint-body) {
      box-sizing: border-box; height: 100vh; padding: 8px 24px 0 !important;
    }
    .expanded-endpoint-body { display: flex; flex-direction: column; height: 100%; padding: 0; }
    .expanded-endpoint-body > .m-markdown { max-height: 20vh; overflow: auto; flex: none; }
    .expanded-req-resp-container {
      flex: 1; min-height: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 24px;
    }
    .expanded-req-resp-container > * { min-width: 0; overflow: auto; }
  }
`;

const page = document.querySelector('rapi-doc');
const { team, token } = document.body.dataset;

function operations(contract) {
  const found = [];
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of METHODS.filter((method) => item[method])) {
      found.push({ path, method, operation: item[method] });
    }
  }
  return found;
}

// An example of a parameter is typed into its field only when a call can succeed with it: ids of
// others, cursors and conditions are not.
function prepare(contract) {
  contract.servers = [{ url: location.origin, description: 'This server.' }];
  const shared = Object.values(contract.components.parameters);
  const own = operations(contract).flatMap(({ operation }) => operation.parameters ?? []);
  for (const parameter of [...shared, ...own]) {
    const isUsable = parameter.required && !UUID.test(parameter.example ?? '');
    if (!isUsable) parameter['x-fill-example'] = 'no';
  }
  if (team) {
    contract.components.parameters.TeamUuid.example = team;
    delete contract.components.parameters.TeamUuid['x-fill-example'];
  }
  tellOnce(contract);
  nameExamples(contract);
  for (const { path, operation } of operations(contract)) {
    const isTwin = path.startsWith('/beta/') && contract.paths[path.replace('/beta/', '/v2/')];
    if (isTwin) operation.summary += ' (beta)';
    const badges = [];
    if (operation['x-scope']) badges.push({ color: 'blue', label: operation['x-scope'] });
    if (operation['x-role']) badges.push({ color: 'red', label: operation['x-role'] });
    operation['x-badges'] = badges;
  }
  return contract;
}

function tellOnce(contract) {
  const { headers, responses, schemas } = contract.components;
  const told = COMMON.map((name) => `- \`${name}\`: ${headers[name].description}`).join('\n');
  contract.info.description += `\n\n**Headers of every answer.**\n\n${told}`;
  const own = operations(contract).flatMap(({ operation }) => Object.values(operation.responses));
  for (const response of [...Object.values(responses), ...own]) {
    for (const name of COMMON) delete response.headers?.[name];
  }
  // `format: uuid` says it in fewer letters.
  delete schemas.Uuid.pattern;
}

// RapiDoc makes up a body where there is an `example` and no named `examples`.
function nameExamples(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const media of Object.values(value.content ?? {})) {
    if (media.example) media.examples = { Example: { value: media.example } };
  }
  Object.values(value).forEach(nameExamples);
}

function bearer() {
  return page.resolvedSpec?.securitySchemes?.find((scheme) => scheme.securitySchemeId === 'bearer');
}

// The demo's own token is on the page anyway, and another start may have another one.
function remember() {
  const typed = bearer()?.value;
  if (typed && typed !== token) sessionStorage.setItem(TOKEN, typed);
  else sessionStorage.removeItem(TOKEN);
}

function recall() {
  const known = sessionStorage.getItem(TOKEN) ?? token;
  if (known) page.setApiKey('bearer', known);
}

// The answer to a call is below what was sent, perhaps out of sight.
function showAnswer(event) {
  const request = event.composedPath()[0];
  setTimeout(() => {
    request.shadowRoot?.querySelector('.response-message')?.scrollIntoView({ block: 'start' });
  }, 50);
}

function fit() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ONE_SCREEN);
  page.shadowRoot.adoptedStyleSheets = [...page.shadowRoot.adoptedStyleSheets, sheet];
}

function fillMenu(contract) {
  const menu = document.getElementById('menu');
  const [search, list] = [menu.querySelector('input'), menu.querySelector('nav')];
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    list.replaceChildren();
    for (const tag of contract.tags) {
      const links = operations(contract)
        .filter(({ operation }) => operation.tags.includes(tag.name))
        .filter(({ path, method, operation }) => {
          const text = `${method} ${path} ${operation.summary} ${tag.name}`.toLowerCase();
          return words.every((word) => text.includes(word));
        })
        .map(({ path, method, operation }) => {
          const link = document.createElement('a');
          link.href = `#${method}-${path.replace(/[{}]/g, '-')}`;
          const where = document.createElement('small');
          where.textContent = `${method.toUpperCase()} ${path}`;
          link.append(operation.summary, where);
          return link;
        });
      if (links.length === 0) continue;
      const heading = document.createElement('h2');
      heading.textContent = tag.name;
      list.append(heading, ...links);
    }
  };
  search.addEventListener('input', show);
  list.addEventListener('click', () => { menu.open = false; });
  show();
}

async function start() {
  const contract = prepare(await (await fetch('/openapi.json')).json());
  if (team) document.getElementById('hint').textContent = 'The demo’s team and token are filled in.';
  fillMenu(contract);
  fit();
  page.addEventListener('spec-loaded', recall);
  page.addEventListener('before-try', remember);
  page.addEventListener('after-try', showAnswer);
  addEventListener('pagehide', remember);
  page.loadSpec(contract);
}

start();

// Rules for page scripts (assembled by tools/check_javascript.py), the sandbox's worker and the extension.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(`${process.cwd()}/.cache/javascript/`));
const js = require('@eslint/js');
const globals = require('globals');

const rules = {
  ...js.configs.recommended.rules,
  'no-control-regex': 'off', // control characters mark breaks, and are removed from what pages say
  'array-callback-return': 'error',
  'block-scoped-var': 'error',
  'consistent-this': 'error',
  'default-case-last': 'error',
  'eqeqeq': 'error',
  'no-caller': 'error',
  'no-constructor-return': 'error',
  'no-eval': 'error',
  'no-extend-native': 'error',
  'no-implicit-coercion': ['error', { boolean: false }],
  'no-implicit-globals': 'error',
  'no-implied-eval': 'error',
  'no-loop-func': 'error',
  'no-new-func': 'error',
  'no-new-wrappers': 'error',
  'no-promise-executor-return': ['error', { allowVoid: true }],
  'no-return-assign': ['error', 'except-parens'],
  'no-self-compare': 'error',
  'no-shadow-restricted-names': 'error',
  'no-template-curly-in-string': 'error',
  'no-throw-literal': 'error',
  'no-unreachable-loop': 'error',
  'no-unused-expressions': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
  'no-use-before-define': ['error', { functions: false, variables: false }],
  'no-useless-return': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'radix': 'error',
};

export default [
  {
    files: ['.cache/javascript/assembled/**/*.js'],
    languageOptions: { sourceType: 'script', globals: { ...globals.browser, __boathook: 'readonly', getEventListeners: 'readonly' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules,
  },
  {
    files: ['src/boathook/sandbox/*.js'],
    languageOptions: { sourceType: 'commonjs', globals: globals.node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules,
  },
  {
    files: ['extension/*.js'],
    languageOptions: { sourceType: 'module', globals: { ...globals.browser, chrome: 'readonly' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules,
  },
];

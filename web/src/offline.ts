import './lib/tokens.css';
import './lib/base.css';
import { mount } from 'svelte';
import { getLocale } from './generated/paraglide/runtime.js';
import Offline from './screens/Offline.svelte';

document.documentElement.lang = getLocale();
mount(Offline, { target: document.getElementById('page')! });

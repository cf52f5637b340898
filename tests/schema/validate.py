#!/usr/bin/env python3
"""Validates JSON documents: validate.py SCHEMA FILE... Prints what is wrong and exits 1."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
wrong = 0
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        document = json.load(file)
    for error in kind(schema).iter_errors(document):
        wrong += 1
        print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
sys.exit(1 if wrong else 0)
